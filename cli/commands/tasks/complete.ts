import { defineCommand } from '../../command.ts'
import { operate } from '../../net/rules.ts'
import { answer } from '../../outcome.ts'
import { AT, ownTasks } from '../../tasks/own.ts'
import { UsageError } from '../../usage.ts'

/** `blazon tasks complete`: what became of a task. */
export const command = defineCommand({
  usage: 'NAME ID --server URL [OPTION]...',
  details: [
    'Says what became of a task of the agent NAME: its result, which is JSON, or with',
    '--error why there is none. Who gave the task is told, if it said where. An',
    'unknown or finished task exits 3. BLAZON_TOKEN in the environment is a token of',
    'the server with the scope publish, or publish-one for /agents/NAME.',
  ],
  options: {
    ...AT,
    result: { value: 'FILE', about: 'the result: JSON, of a file or of - (default null)' },
    error: { value: 'TEXT', about: 'why it failed' },
  },
  examples: [
    'blazon tasks complete bob ID --server https://agents.example.com --result review.json',
    "blazon tasks complete bob ID --server https://agents.example.com --error 'no such language'",
  ],
  async run(context) {
    const { options, positionals, reader } = context
    const { server, path } = ownTasks(context, ['the NAME of one agent', 'the ID of a task'])
    const { result, error } = options
    if (result !== undefined && error !== undefined)
      throw new UsageError('wrong-arguments', 'a task has a result, or it failed', 'leave out --result or --error')
    const value = result === undefined ? null : (await reader.document(result)).document.value
    const end = error === undefined ? { state: 'completed', result: value } : { state: 'failed', error }
    const answered = await operate(server, `${path}/${encodeURIComponent(positionals[1]!)}`, {
      method: 'POST',
      body: JSON.stringify(end),
    })
    if ('problem' in answered) return { results: [answered.problem] }
    return { results: [answer({ task: answered.members })], notes: [`the task is ${end.state}`] }
  },
})
