import { membersOf } from '../../bindings/document/parse.ts'
import { isObject, member } from '../../bindings/text/members.ts'
import { answer, defineCommand } from '../command.ts'
import { word } from '../report/report.ts'
import { ask, neededSecret, neededServer, needHolders, noAnswer, SERVER } from '../server.ts'

/** A copy: this program does not load the list of the Worker. */
export const SCOPES = [
  'operate',
  'publish',
  'publish-one',
  'export',
  'read',
  'read-one',
  'write',
  'audit',
  'push',
] as const

export const create = defineCommand({
  options: {
    scope: { value: 'SCOPE', choices: SCOPES, needed: 'as in --scope publish', about: 'what the token permits' },
    server: SERVER,
  },
  async run({ name, options, positionals: holders, host, print }) {
    needHolders(name, holders)
    const { scope, server } = options
    const { origin } = neededServer(name, server)
    const headers = { authorization: `Bearer ${neededSecret(name, host)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ scope, holders })
    const answered = await ask(host, `${origin}/v1/tokens`, { method: 'POST', headers, body })
    if ('problem' in answered || answered.status !== 200) throw noAnswer(origin, answered)
    const given = member(membersOf(answered.bytes), 'tokens')
    const tokens = holders.map((holder) => [holder, isObject(given) ? member(given, holder) : undefined] as const)
    if (!tokens.every(([, token]) => typeof token === 'string' && TOKEN.test(token)))
      throw noAnswer(origin, { problem: `${origin} did not answer with tokens` })
    for (const [holder, token] of tokens) print(holders.length === 1 ? `${token}\n` : `${holder}\t${token}\n`)
    const notes = [`to withdraw it later: blazon token revoke ${holders.map(word).join(' ')} --server ${origin}`]
    return { results: [answer({ tokens: Object.fromEntries(tokens) })], notes }
  },
})

/** The accepted form of a token: a terminal would obey control characters. */
const TOKEN = /^[\w.-]{1,1024}$/

export const revoke = defineCommand({
  options: { server: SERVER },
  async run({ name, options, positionals: holders, host }) {
    needHolders(name, holders)
    const { origin } = neededServer(name, options.server)
    const headers = { authorization: `Bearer ${neededSecret(name, host)}` }
    const query = new URLSearchParams(holders.map((holder) => ['holder', holder]))
    const answered = await ask(host, `${origin}/v1/tokens?${query}`, { method: 'DELETE', headers })
    if ('problem' in answered || answered.status !== 200) throw noAnswer(origin, answered)
    const notes = [`revoked every earlier token of ${holders.join(', ')} at ${origin}`]
    return { results: [answer({ withdrawn: holders })], notes }
  },
})
