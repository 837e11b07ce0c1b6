import { cancelTask, readTask, sendTask } from '../../bindings/agp/tasks.ts'
import { discover } from '../../bindings/discover/trust/discover.ts'
import { membersOf } from '../../bindings/document/parse.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { type JsonObject, member } from '../../bindings/text/members.ts'
import { defineCommand } from '../command.ts'
import { ASKING, agentNamed, CALLER, callerIn, dnsOf, TOKEN, tokenOf } from '../discover/asking.ts'
import { readKey, usable } from '../keys.ts'
import { objectsIn, operate } from '../net/rules.ts'
import { askPatiently, noAnswer } from '../net/server.ts'
import { answer } from '../outcome.ts'
import { jsonLine } from '../report/report.ts'
import { AT, addressIn, outcomeOf, ownTasks } from '../tasks/own.ts'
import { given, UsageError } from '../usage.ts'

/** `blazon tasks send`: finds an agent and sends it a task. */
export const send = defineCommand({
  usage: 'AGENT|INVITATION TASK --as AGENT --key KEY [OPTION]...',
  details: [
    'Finds the agent of a domain, sends it a task (ADP/1.1 section 7.3.1), and writes',
    'the URL of the status of the task. The request is signed with your key, which',
    'your own metadata must contain. The result goes to the URL of --callback, which',
    'must be at an origin of your own metadata; or get it with blazon tasks status. A',
    'private agent needs an invitation instead of a domain, and the token from blazon',
    'invite redeem (--token). Exits 3 if the task was not accepted.',
  ],
  options: {
    ...CALLER,
    input: { value: 'FILE', about: 'the input as JSON: a file or - (default null)' },
    callback: { value: 'URL', about: 'send the result to this URL' },
    once: { value: 'KEY', about: 'an idempotency key: a request with the same one is the same task' },
    ...TOKEN,
    ...ASKING,
  },
  examples: [
    'blazon tasks send bob.example.com code-review --as agent:alice.example.com --key alice.key --input change.json',
  ],
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
    const request = { task, ...given({ input: value, callback }) }
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
        ...given({ idempotencyKey: once, token: found.token }),
      }),
    )
    if (sent.ok) print(`${visible(sent.task.statusUrl)}\n`)
    return outcomeOf(sent, ['blazon tasks status shows its result'])
  },
})

/** `blazon tasks status`: shows the status of a task. */
export const status = defineCommand({
  usage: 'URL --as AGENT --key KEY [--token TOKEN]',
  details: [
    'Asks the agent for the status of a task, and writes it as JSON. Only the sender',
    'of a task gets an answer: the request is signed. Exits 3 without an answer.',
  ],
  options: { ...CALLER, ...TOKEN },
  examples: ['blazon tasks status https://bob.example.com/agent/tasks/ID --as agent:alice.example.com --key alice.key'],
  async run(context) {
    const { name, options, positionals, host, print } = context
    const key = await readKey(options.key, context)
    const caller = { key, as: callerIn(options.as), fetch: host.fetch, ...(await tokenOf(context)) }
    const answered = await usable(readTask(addressIn(name, positionals), caller))
    if (answered.ok) print(jsonLine(answered.task))
    return outcomeOf(answered)
  },
})

/** `blazon tasks cancel`: cancels a task. */
export const cancel = defineCommand({
  usage: 'URL --as AGENT --key KEY [--token TOKEN]',
  details: [
    'Asks the agent to cancel a task, and writes its answer as JSON. Only the sender',
    'of a task can cancel it: the request is signed. Exits 3 without an answer.',
  ],
  options: { ...CALLER, ...TOKEN },
  examples: ['blazon tasks cancel https://bob.example.com/agent/tasks/ID --as agent:alice.example.com --key alice.key'],
  async run(context) {
    const { name, options, positionals, host, print } = context
    const key = await readKey(options.key, context)
    const caller = { key, as: callerIn(options.as), fetch: host.fetch, ...(await tokenOf(context)) }
    const answered = await usable(cancelTask(addressIn(name, positionals), caller))
    if (answered.ok) print(jsonLine(answered.task))
    return outcomeOf(answered)
  },
})

const STATES = ['queued', 'taken', 'completed', 'failed', 'canceled'] as const
/** Tasks in one page; an agent has at most 10,000 tasks. */
const PAGE = 20
const MOST_PAGES = 500
const COLUMNS = ['id', 'state', 'task', 'caller', 'created']

/** `blazon tasks list`: the tasks that an agent received. */
export const list = defineCommand({
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

/** `blazon tasks take`: takes the oldest waiting task, for the program that works on it. */
export const take = defineCommand({
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

/** `blazon tasks complete`: reports the result of a task. */
export const complete = defineCommand({
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
