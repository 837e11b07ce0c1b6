// The tasks of an agent on its own server, for the holder of a token.

import { cancelTask, readTask, sendTask, type TaskAnswer } from '../../bindings/agp/tasks.ts'
import { discover } from '../../bindings/discover/trust/discover.ts'
import { membersOf } from '../../bindings/document/parse.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { type JsonObject, member } from '../../bindings/text/members.ts'
import { ASKING, agentNamed, callerIn, dnsOf, TOKEN, tokenOf } from '../asking.ts'
import {
  answer,
  type Context,
  compact,
  defineCommand,
  EXIT,
  type Options,
  type Outcome,
  UsageError,
  unreadable,
} from '../command.ts'
import { CALLER, readKey, usable } from '../keys.ts'
import { jsonLine } from '../report/report.ts'
import { askPatiently, noAnswer, type OperatorServer, operate, operatorOf, pagesOf, SERVER } from '../server.ts'

export const AT = { server: SERVER } as const satisfies Options

/** Reads the server, and the path of the tasks of the agent that the first argument names. */
function ownTasks(
  context: Context<typeof AT>,
  expected: readonly string[],
): { readonly server: OperatorServer; readonly path: string } {
  const { name, positionals } = context
  const server = operatorOf(context)
  if (positionals.length !== expected.length || positionals.includes('')) {
    const words = expected.join(' and ')
    throw new UsageError('wrong-arguments', `${name} takes ${words}`, `blazon ${name} --help`)
  }
  return { server, path: `/v1/agents/${encodeURIComponent(positionals[0]!)}/tasks` }
}

/** The other agent's answer about a task, or the reason why it is missing. */
export function outcomeOf(answered: TaskAnswer, notes: readonly string[] = []): Outcome {
  if (answered.ok) return { results: [answer({ task: answered.task })], notes }
  return { results: [unreadable({ file: null, diagnostics: [answered.diagnostic] })], exit: EXIT.unreadable }
}

/** Reads the only argument, the URL of a task. */
export function addressIn(name: string, [url, ...more]: readonly string[]): string {
  if (url !== undefined && more.length === 0 && URL.canParse(url)) return url
  throw new UsageError('wrong-arguments', `${name} takes the status URL of one task`, 'blazon tasks send writes it')
}

export const send = defineCommand({
  options: {
    ...CALLER,
    input: { value: 'FILE', about: 'the input as JSON: a file or - (default null)' },
    callback: { value: 'URL', about: 'send the result to this URL' },
    once: { value: 'KEY', about: 'an idempotency key: a request with the same one is the same task' },
    ...TOKEN,
    ...ASKING,
  },
  async run(context) {
    const { options, positionals, reader, host, print, say } = context
    const [agent, task, ...more] = positionals
    if (agent === undefined || task === undefined || more.length > 0)
      throw new UsageError(
        'wrong-arguments',
        'tasks send takes an agent and a task',
        'as in bob.example.com code-review',
      )
    const { as, input, callback, once } = options
    const { domain, given: found } = await agentNamed([agent], 'tasks send', context)
    const key = await readKey(options.key, context)
    const value = input === undefined ? undefined : (await reader.document(input)).document.value
    const dns = await dnsOf(context, options)
    say(`looking for ${domain}`)
    const request = { task, ...compact({ input: value, callback }) }
    const sent = await usable(
      sendTask(domain, request, {
        key,
        as: callerIn(as),
        fetch: host.fetch,
        // An invitation names the key, so the DNS does not have to.
        discover: (name) =>
          discover(name, {
            ...dns,
            ...found,
            fetch: host.fetch,
            ...(found.invitation === undefined && { require: 'key-verified' }),
          }),
        ...compact({ idempotencyKey: once, token: found.token }),
      }),
    )
    if (sent.ok) print(`${visible(sent.task.statusUrl)}\n`)
    return outcomeOf(sent, ['blazon tasks status shows its result'])
  },
})

/** A command that asks for one task, and prints it. */
const commandFor = (request: typeof readTask) =>
  defineCommand({
    options: { ...CALLER, ...TOKEN },
    async run(context) {
      const { name, options, positionals, host, print } = context
      const key = await readKey(options.key, context)
      const caller = { key, as: callerIn(options.as), fetch: host.fetch, ...(await tokenOf(context)) }
      const answered = await usable(request(addressIn(name, positionals), caller))
      if (answered.ok) print(jsonLine(answered.task))
      return outcomeOf(answered)
    },
  })

export const status = commandFor(readTask)

export const cancel = commandFor(cancelTask)

const STATES = ['queued', 'taken', 'completed', 'failed', 'canceled'] as const
/** Tasks in one page; an agent has at most 10,000 tasks. */
const PAGE = 20
const MOST_PAGES = 500
const COLUMNS = ['id', 'state', 'task', 'caller', 'created']

export const list = defineCommand({
  options: { ...AT, state: { value: 'STATE', choices: STATES, about: 'only list tasks in this state' } },
  async run(context) {
    const { options, print } = context
    const { server, path } = ownTasks(context, ['the NAME of one agent'])
    const state = options.state === undefined ? '' : `&state=${options.state}`
    const tasks = await pagesOf(server, 'tasks', { size: PAGE, most: MOST_PAGES }, (_, last) => {
      return `${path}?after=${numberIn(last)}&limit=${PAGE}${state}`
    })
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

export const take = defineCommand({
  options: AT,
  async run(context) {
    const { host, print } = context
    const { server, path } = ownTasks(context, ['the NAME of one agent'])
    const { origin, token } = server
    const headers = { authorization: `Bearer ${token}` }
    const answered = await askPatiently(host, `${origin}${path}/take`, { method: 'POST', headers })
    if ('status' in answered && answered.status === 204)
      return { results: [answer({ task: null })], notes: ['no task waits'] }
    if ('problem' in answered || answered.status !== 200) throw noAnswer(origin, answered)
    const task = membersOf(answered.bytes)
    print(jsonLine(task))
    return { results: [answer({ task })], notes: ['report its result with blazon tasks complete'] }
  },
})

export const complete = defineCommand({
  options: {
    ...AT,
    result: { value: 'FILE', about: 'the result as JSON: a file or - (default null)' },
    error: { value: 'TEXT', about: 'why the task failed' },
  },
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
    return { results: [answer({ task: answered })], notes: [`the task is ${end.state}`] }
  },
})
