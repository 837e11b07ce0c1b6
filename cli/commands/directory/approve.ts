import { defineCommand } from '../../command.ts'
import { expectSubjects, operate, ruleOn } from '../../net/rules.ts'
import { answer } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'

/** Waiting cards that a server refuses in one request. */
const MOST_DROPPED = 100

/** `blazon directory approve`: allows agents, keys and hosts, and lets in their waiting cards. */
export const command = defineCommand({
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
