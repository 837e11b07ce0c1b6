import { visible } from '../../../bindings/text/hidden.ts'
import { type JsonObject, member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { objectsIn, operate, readRules } from '../../net/rules.ts'
import { answer } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'

/** Cards in one page; a server has at most 1,000 waiting cards. */
const WAITING = 100
const MOST_PAGES = 100
const SUBJECTS = ['id', 'key', 'host']

/** `blazon directory list`: the rules of a directory, and the cards that wait for its operator. */
export const command = defineCommand({
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
