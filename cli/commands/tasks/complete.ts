import { defineCommand } from '../../command.ts'
import { operate } from '../../net/rules.ts'
import { answer } from '../../outcome.ts'
import { AT, ownTasks } from '../../tasks/own.ts'
import { UsageError } from '../../usage.ts'

/** `blazon tasks complete`: reports the result of a task. */
export const command = defineCommand({
  usage: 'NAME ID --server URL [OPTION]...',
  details: [
    'Reports the result of a task of the agent NAME as JSON, or with --error why it',
    'failed. The sender of the task is notified if it gave a callback. An unknown or',
    'finished task exits 3. BLAZON_TOKEN in the environment is a token of the server',
    'with the scope publish, or publish-one for /agents/NAME.',
  ],
  options: {
    ...AT,
    result: { value: 'FILE', about: 'the result as JSON: a file or - (default null)' },
    error: { value: 'TEXT', about: 'why the task failed' },
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
      throw new UsageError('wrong-arguments', '--result and --error exclude each other', 'leave out one of them')
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
