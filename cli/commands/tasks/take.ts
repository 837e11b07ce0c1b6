import { membersOf } from '../../../bindings/document/parse.ts'
import { defineCommand } from '../../command.ts'
import { askPatiently, noAnswer } from '../../net/server.ts'
import { answer } from '../../outcome.ts'
import { jsonLine } from '../../report/report.ts'
import { AT, ownTasks } from '../../tasks/own.ts'

/** `blazon tasks take`: takes the oldest waiting task, for the program that works on it. */
export const command = defineCommand({
  usage: 'NAME --server URL',
  details: [
    'Takes the oldest waiting task of the agent NAME, and writes it as JSON: no other',
    'caller gets the same task. Writes nothing if no task waits. BLAZON_TOKEN in the',
    'environment is a token of the server with the scope publish, or publish-one for',
    '/agents/NAME.',
  ],
  options: AT,
  examples: ['blazon tasks take bob --server https://agents.example.com > task.json'],
  async run(context) {
    const { host, print } = context
    const { server, path } = ownTasks(context, ['the NAME of one agent'])
    const { origin, token } = server
    const headers = { authorization: `Bearer ${token}` }
    const answered = await askPatiently(host, `${origin}${path}/take`, { method: 'POST', headers })
    if ('status' in answered && answered.status === 204)
      return { results: [answer({ task: null })], notes: ['no task waits'] }
    if ('problem' in answered || answered.status !== 200) return { results: [noAnswer(origin, answered)] }
    const task = membersOf(answered.bytes)
    print(jsonLine(task))
    return { results: [answer({ task })], notes: ['report its result with blazon tasks complete'] }
  },
})
