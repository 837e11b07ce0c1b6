import { isAgentUri, isKeyName, readAgentUri } from '../../../bindings/card/agent-uri.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { type JsonObject, member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { expectSubjects, objectsIn, operate, readRules, ruleOn } from '../../net/rules.ts'
import { answer, type Result } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'
import { given, UsageError } from '../../usage.ts'

/** Cards in one page; a server has at most 1,000 waiting cards. */
const WAITING = 100
const MOST_PAGES = 100
const SUBJECTS = ['id', 'key', 'host']

/** `blazon directory list`: the rules of a directory, and the cards that wait for its operator. */
export const list = defineCommand({
  usage: '--server URL',
  details: [
    'Lists the agents, keys and hosts that a directory has blocked or allowed, and',
    'the cards that wait for its operator: verdict, subject, reason or name, time.',
    'BLAZON_TOKEN in the environment is the token of the server.',
  ],
  options: { server: SERVER },
  operands: [],
  examples: ['blazon directory list --server https://agents.example.com'],
  async run({ name, options, host, print, say }) {
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    say(`asking ${origin}`)
    const server = { host, origin, token }
    const answeredRules = await readRules(server)
    if ('problem' in answeredRules) return { results: [answeredRules.problem] }
    const { rules } = answeredRules
    const waiting: JsonObject[] = []
    for (let page = 0; page < MOST_PAGES; page++) {
      const after = encodeURIComponent(textOf(waiting.at(-1), 'id'))
      const answered = await operate(server, `/v1/directory/queue?after=${after}&limit=${WAITING}`)
      if ('problem' in answered) return { results: [answered.problem] }
      const some = objectsIn(answered.members, 'waiting')
      for (const one of some) waiting.push(one)
      if (some.length < WAITING) break
    }
    for (const rule of rules) {
      const subject = SUBJECTS.map((of) => textOf(rule, of)).find((text) => text !== '') ?? ''
      print(row(textOf(rule, 'verdict'), subject, textOf(rule, 'reason'), textOf(rule, 'at')))
    }
    for (const card of waiting) print(row('waiting', textOf(card, 'id'), textOf(card, 'name'), textOf(card, 'came')))
    return {
      results: [answer({ rules, waiting })],
      notes: [`${rules.length} rules and ${waiting.length} waiting cards at ${origin}`],
    }
  },
})

function textOf(object: JsonObject | undefined, name: string): string {
  const value = object && member(object, name)
  return typeof value === 'string' ? value : ''
}

function row(...cells: readonly string[]): string {
  return `${cells.map((cell) => visible(cell.replace(/\s+/g, ' '))).join('\t')}\n`
}

/** Waiting cards that a server refuses in one request. */
const MOST_DROPPED = 100

/** `blazon directory approve`: allows agents, keys and hosts, and lets in their waiting cards. */
export const approve = defineCommand({
  usage: 'ID|KEY|HOST... --server URL',
  details: [
    'Allows these agents (agent://...), keys (fingerprints) or hosts and their',
    'subdomains, and lets in their waiting cards. Also undoes remove and block.',
    'BLAZON_TOKEN in the environment is the token of the server.',
  ],
  options: {
    server: SERVER,
    refuse: { about: 'refuse the waiting cards of these IDs instead' },
  },
  examples: ['blazon directory approve agent://acme/x --server https://agents.example.com'],
  async run(context) {
    const { name, options, positionals, host, say } = context
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    expectSubjects(context, 'blazon directory list shows the waiting cards')
    const server = { host, origin, token }
    if (options.refuse) {
      say(`refusing at ${origin}`)
      for (let from = 0; from < positionals.length; from += MOST_DROPPED) {
        const query = new URLSearchParams(positionals.slice(from, from + MOST_DROPPED).map((id) => ['id', id]))
        const dropped = await operate(server, `/v1/directory/queue?${query}`, { method: 'DELETE' })
        if ('problem' in dropped) return { results: [dropped.problem] }
      }
      return { results: [answer({ refused: positionals })], notes: [`${positionals.length} refused at ${origin}`] }
    }
    say(`allowing at ${origin}`)
    const note = (entered: number) => `${positionals.length} allowed at ${origin}, ${entered} waiting cards let in`
    return ruleOn(context, server, { verdict: 'allow' }, note)
  },
})

/** `blazon directory block`: blocks agents, keys and hosts, and removes their cards. */
export const block = defineCommand({
  usage: 'ID|KEY|HOST... --server URL',
  details: [
    'Removes every card of these agents (agent://...), signed with these keys',
    '(fingerprints, as blazon verify prints them), or with endpoints at these hosts',
    'and their subdomains, and blocks new ones. BLAZON_TOKEN in the environment is',
    'the token of the server.',
  ],
  options: {
    server: SERVER,
    reason: { value: 'TEXT', about: 'the reason, shown to anyone who is refused' },
    lift: { about: 'delete the rules about them instead' },
  },
  examples: ['blazon directory block spam.example --reason spam --server https://agents.example.com'],
  async run(context) {
    const { name, options, positionals, host, say } = context
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    expectSubjects(context, 'as in blazon directory block spam.example')
    const verdict = options.lift ? 'none' : 'block'
    say(`${options.lift ? 'lifting rules' : 'blocking'} at ${origin}`)
    const ruling = { verdict, ...given({ reason: options.reason }) } as const
    const note = () => `${positionals.length} ${options.lift ? 'lifted' : 'blocked'} at ${origin}`
    return ruleOn(context, { host, origin, token }, ruling, note)
  },
})

/** `blazon directory remove`: removes cards; their ids stay blocked. */
export const remove = defineCommand({
  usage: 'ID... --reason TEXT --server URL',
  details: [
    'Removes the cards of agents. Anyone who asks for one gets the reason. The agent',
    'stays blocked until blazon directory approve allows it again. BLAZON_TOKEN in',
    'the environment is the token of the server.',
  ],
  options: {
    server: SERVER,
    reason: { value: 'TEXT', about: 'the reason, shown to anyone who asks for the card' },
  },
  examples: ['blazon directory remove agent://acme/x --reason spam --server https://agents.example.com'],
  async run({ name, options, positionals, host, print, say }) {
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    const { reason = '' } = options
    if (reason.trim() === '') {
      throw new UsageError('missing-option', `${name} needs --reason TEXT`, 'anyone who asks for the card gets it')
    }
    if (positionals.length === 0) {
      throw new UsageError('missing-argument', `${name}: expected an ID`, 'as in agent://acme/translator')
    }
    for (const id of positionals) {
      if (!isAgentUri(id))
        throw new UsageError('wrong-arguments', `${name}: ${id} is not the id of an agent`, 'it begins with agent://')
    }
    say(`removing from ${origin}`)
    const results: Result[] = []
    for (const id of positionals) {
      const path = `/agents/${encodeURIComponent(id.slice('agent://'.length))}?${new URLSearchParams({ reason })}`
      const answered = await operate({ host, origin, token }, path, { method: 'DELETE' })
      if ('problem' in answered) return { results: [...results, answered.problem] }
      const removed = member(answered.members, 'removed') === true
      print(`${id}\t${removed ? 'removed' : 'was not there; blocked from now on'}\n`)
      results.push(answer({ removal: { id, removed, reason } }))
    }
    const notes = positionals.some(isKey) ? [OTHER_NAMES] : []
    return { results, notes: [`${positionals.length} blocked at ${origin}`, ...notes] }
  },
})

/** True when the id is a key: such a key has several spellings and ids. */
function isKey(id: string): boolean {
  const read = readAgentUri(id)
  return 'authority' in read && isKeyName(read.authority)
}

const OTHER_NAMES =
  'only this id is blocked: to block all ids of a key, give blazon directory block the fingerprint that blazon verify prints'
