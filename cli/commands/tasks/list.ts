import { visible } from '../../../bindings/text/hidden.ts'
import { type JsonObject, member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { objectsIn, operate } from '../../net/rules.ts'
import { answer } from '../../outcome.ts'
import { AT, ownTasks } from '../../tasks/own.ts'

const STATES = ['queued', 'taken', 'completed', 'failed', 'canceled'] as const
/** Tasks in one page; an agent has at most 10,000 tasks. */
const PAGE = 20
const MOST_PAGES = 500
const COLUMNS = ['id', 'state', 'task', 'caller', 'created']

/** `blazon tasks list`: the tasks that an agent received. */
export const command = defineCommand({
  usage: 'NAME --server URL [--state STATE]',
  details: [
    'Lists the tasks that the agent NAME received, one per line: id, state, task,',
    'sender, time. With --format json also their inputs and results. BLAZON_TOKEN in',
    'the environment is a token of the server with the scope publish, or publish-one',
    'for /agents/NAME.',
  ],
  options: { ...AT, state: { value: 'STATE', choices: STATES, about: 'only list tasks in this state' } },
  examples: ['blazon tasks list bob --server https://agents.example.com --state queued'],
  async run(context) {
    const { options, print } = context
    const { server, path } = ownTasks(context, ['the NAME of one agent'])
    const state = options.state === undefined ? '' : `&state=${options.state}`
    const tasks: JsonObject[] = []
    for (let page = 0; page < MOST_PAGES; page++) {
      const answered = await operate(server, `${path}?after=${numberIn(tasks.at(-1))}&limit=${PAGE}${state}`)
      if ('problem' in answered) return { results: [answered.problem] }
      const some = objectsIn(answered.members, 'tasks')
      for (const one of some) tasks.push(one)
      if (some.length < PAGE) break
    }
    for (const task of tasks) print(`${COLUMNS.map((name) => cell(task, name)).join('\t')}\n`)
    return { results: [answer({ tasks })], notes: [`${tasks.length} tasks`] }
  },
})

function numberIn(task: JsonObject | undefined): number {
  const seq = task && member(task, 'seq')
  return typeof seq === 'number' ? seq : 0
}

function cell(task: JsonObject, name: string): string {
  const value = member(task, name)
  return typeof value === 'string' ? visible(value.replace(/\s+/g, ' ')) : ''
}
