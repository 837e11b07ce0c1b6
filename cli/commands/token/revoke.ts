import { defineCommand } from '../../command.ts'
import { ask, noAnswer } from '../../net/server.ts'
import { answer } from '../../outcome.ts'
import { neededSecret, neededServer, needHolders, SERVER } from '../../publish/target.ts'

/** `blazon token revoke`: raises the generation of each holder, which revokes all earlier tokens. */
export const command = defineCommand({
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
