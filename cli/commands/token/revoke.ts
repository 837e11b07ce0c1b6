import { defineCommand } from '../../command.ts'
import { noAnswer } from '../../net/answers.ts'
import { ask } from '../../net/server.ts'
import { answer } from '../../outcome.ts'
import { neededSecret, needHolders } from '../../publish/secret.ts'
import { neededServer, SERVER } from '../../publish/target.ts'

/** `blazon token revoke`: raises the generation of each holder, below which no token counts. */
export const command = defineCommand({
  usage: 'HOLDER... --server URL',
  details: [
    'Withdraws every token of these holders, of whatever scope: once the server has',
    'answered, none counts. Tokens that are made afterwards are others. TOKEN_SECRET',
    'in the environment is the secret of the server.',
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
    const notes = [`no earlier token of ${holders.join(', ')} counts at ${origin}`]
    return { results: [answer({ withdrawn: holders })], notes }
  },
})
