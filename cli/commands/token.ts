import { membersOf } from '../../bindings/document/parse.ts'
import { isObject, member } from '../../bindings/text/members.ts'
import { defineCommand } from '../command.ts'
import { ask, noAnswer } from '../net/server.ts'
import { answer } from '../outcome.ts'
import { neededSecret, neededServer, needHolders, SERVER } from '../publish/target.ts'

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

/** `blazon token create`: lets the server create a token for each holder. */
export const create = defineCommand({
  usage: 'HOLDER... --scope SCOPE --server URL',
  details: [
    'Writes the token of a holder, for BLAZON_TOKEN; for several holders one per',
    'line, each after its holder and a tab. TOKEN_SECRET in the environment is the',
    'secret of the server. A holder is a name, such as ci; for publish-one the id of',
    'an agent or the path of a definition; for read-one that path; for push the',
    'developer of the agents. Tokens are valid until they are revoked.',
  ],
  options: {
    scope: { value: 'SCOPE', choices: SCOPES, needed: 'as in --scope publish', about: 'what the token permits' },
    server: SERVER,
  },
  examples: [
    'blazon token create ci --scope publish --server https://agents.example.com',
    'blazon token create agent://acme/scout --scope publish-one --server https://agents.example.com',
  ],
  async run({ name, options, positionals: holders, host, print }) {
    needHolders(name, holders)
    const { scope, server } = options
    const { origin } = neededServer(name, server)
    const headers = { authorization: `Bearer ${neededSecret(name, host)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ scope, holders })
    const answered = await ask(host, `${origin}/v1/tokens`, { method: 'POST', headers, body })
    if ('problem' in answered || answered.status !== 200) return { results: [noAnswer(origin, answered)] }
    const given = member(membersOf(answered.bytes), 'tokens')
    const tokens = holders.map((holder) => [holder, isObject(given) ? member(given, holder) : undefined] as const)
    if (!tokens.every(([, token]) => typeof token === 'string' && TOKEN.test(token))) {
      return { results: [noAnswer(origin, { problem: `${origin} did not answer with tokens` })] }
    }
    for (const [holder, token] of tokens) print(holders.length === 1 ? `${token}\n` : `${holder}\t${token}\n`)
    const notes = [
      `blazon token revoke ${holders.join(' ')} revokes all tokens of ${holders.length === 1 ? 'it' : 'them'}`,
    ]
    return { results: [answer({ tokens: Object.fromEntries(tokens) })], notes }
  },
})

/** The accepted form of a token: a terminal would obey control characters. */
const TOKEN = /^[\w.-]{1,1024}$/

/** `blazon token revoke`: raises the generation of each holder, which revokes all earlier tokens. */
export const revoke = defineCommand({
  usage: 'HOLDER... --server URL',
  details: [
    'Revokes every token of these holders, of any scope, as soon as the server',
    'answers. New tokens can be created afterwards. TOKEN_SECRET in the environment',
    'is the secret of the server.',
  ],
  options: { server: SERVER },
  examples: ['blazon token revoke ci --server https://agents.example.com'],
  async run({ name, options, positionals: holders, host }) {
    needHolders(name, holders)
    const { origin } = neededServer(name, options.server)
    const headers = { authorization: `Bearer ${neededSecret(name, host)}` }
    const query = new URLSearchParams(holders.map((holder) => ['holder', holder]))
    const answered = await ask(host, `${origin}/v1/tokens?${query}`, { method: 'DELETE', headers })
    if ('problem' in answered || answered.status !== 200) return { results: [noAnswer(origin, answered)] }
    const notes = [`revoked every earlier token of ${holders.join(', ')} at ${origin}`]
    return { results: [answer({ withdrawn: holders })], notes }
  },
})
