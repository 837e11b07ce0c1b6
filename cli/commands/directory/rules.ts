import { isAgentUri, isKeyName, readAgentUri } from '../../../bindings/card/agent-uri.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { type JsonObject, member } from '../../../bindings/text/members.ts'
import { answer, compact, defineCommand, orUnreadable, type Result, Unreadable, UsageError } from '../../command.ts'
import { counted } from '../../report/report.ts'
import { expectSubjects, operate, operatorOf, pagesOf, readRules, ruleOn, SERVER } from '../../server.ts'

/** Cards in one page; a server has at most 1,000 waiting cards. */
const WAITING = 100
const SUBJECTS = ['id', 'key', 'host']

export const list = defineCommand({
  options: { server: SERVER },
  operands: [],
  async run(context) {
    const { print, say } = context
    const server = operatorOf(context)
    const { origin } = server
    say(`asking ${origin}`)
    const rules = await readRules(server)
    const waiting = await pagesOf(server, 'waiting', { size: WAITING }, (_, last) => {
      return `/v1/directory/queue?after=${encodeURIComponent(memberText(last, 'id'))}&limit=${WAITING}`
    })
    for (const rule of rules) {
      const subject = SUBJECTS.map((of) => memberText(rule, of)).find((text) => text !== '') ?? ''
      print(row(memberText(rule, 'verdict'), subject, memberText(rule, 'reason'), memberText(rule, 'at')))
    }
    for (const card of waiting)
      print(row('waiting', memberText(card, 'id'), memberText(card, 'name'), memberText(card, 'came')))
    return {
      results: [answer({ rules, waiting })],
      notes: [`${counted(rules.length, 'rule')} and ${counted(waiting.length, 'waiting card')} at ${origin}`],
    }
  },
})

function memberText(object: JsonObject | undefined, name: string): string {
  const value = object && member(object, name)
  return typeof value === 'string' ? value : ''
}

const row = (...cells: readonly string[]): string =>
  `${cells.map((cell) => visible(cell.replace(/\s+/g, ' '))).join('\t')}\n`

/** Waiting cards that a server refuses in one request. */
const MOST_DROPPED = 100

export const approve = defineCommand({
  options: { server: SERVER, refuse: { about: 'refuse the waiting cards of these IDs instead' } },
  async run(context) {
    const { options, positionals, say } = context
    const server = operatorOf(context)
    const { origin } = server
    expectSubjects(context, 'blazon directory list shows the waiting cards')
    if (options.refuse) {
      say(`refusing at ${origin}`)
      for (let from = 0; from < positionals.length; from += MOST_DROPPED) {
        const query = new URLSearchParams(positionals.slice(from, from + MOST_DROPPED).map((id) => ['id', id]))
        await operate(server, `/v1/directory/queue?${query}`, { method: 'DELETE' })
      }
      return { results: [answer({ refused: positionals })], notes: [`${positionals.length} refused at ${origin}`] }
    }
    say(`allowing at ${origin}`)
    const note = (entered: number) => `${positionals.length} allowed at ${origin}, ${entered} waiting cards let in`
    return ruleOn(context, server, { verdict: 'allow' }, note)
  },
})

export const block = defineCommand({
  options: {
    server: SERVER,
    reason: { value: 'TEXT', about: 'the reason, shown to anyone who is refused' },
    lift: { about: 'delete the rules about them instead' },
  },
  async run(context) {
    const { options, positionals, say } = context
    const server = operatorOf(context)
    const { origin } = server
    expectSubjects(context, 'as in blazon directory block spam.example')
    const verdict = options.lift ? 'none' : 'block'
    say(`${options.lift ? 'lifting rules' : 'blocking'} at ${origin}`)
    const ruling = { verdict, ...compact({ reason: options.reason }) } as const
    const note = () => `${positionals.length} ${options.lift ? 'lifted' : 'blocked'} at ${origin}`
    return ruleOn(context, server, ruling, note)
  },
})

export const remove = defineCommand({
  options: { server: SERVER, reason: { value: 'TEXT', about: 'the reason, shown to anyone who asks for the card' } },
  async run(context) {
    const { name, options, positionals, print, say } = context
    const server = operatorOf(context)
    const { origin } = server
    const { reason = '' } = options
    if (reason.trim() === '') {
      throw new UsageError('missing-option', `${name} needs --reason TEXT`, 'anyone who asks for the card gets it')
    }
    if (positionals.length === 0) {
      throw new UsageError('missing-argument', `${name}: expected an ID`, 'as in agent://acme/translator')
    }
    for (const id of positionals)
      if (!isAgentUri(id))
        throw new UsageError('wrong-arguments', `${name}: ${id} is not the id of an agent`, 'it begins with agent://')
    say(`removing from ${origin}`)
    const results: Result[] = []
    for (const id of positionals) {
      const path = `/agents/${encodeURIComponent(id.slice('agent://'.length))}?${new URLSearchParams({ reason })}`
      const answered = await orUnreadable(operate(server, path, { method: 'DELETE' }))
      if (answered instanceof Unreadable) return { results: [...results, answered.result] }
      const removed = member(answered, 'removed') === true
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
