import { defineCommand } from '../../command.ts'
import { expectSubjects, operate, ruleOn } from '../../net/rules.ts'
import { answer } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'

/** Waiting cards that a server drops at once. */
const MOST_DROPPED = 100

/** `blazon directory approve`: lets in agents, keys and hosts, with the cards of theirs that wait. */
export const command = defineCommand({
  usage: 'ID|KEY|HOST... --server URL',
  details: [
    'Lets in these agents (agent://...), keys (fingerprints) or hosts with all below,',
    'with the cards of theirs that wait; also what was removed or blocked.',
    'BLAZON_TOKEN in the environment is the token of the server.',
  ],
  options: {
    server: SERVER,
    refuse: { about: 'drop the waiting cards of these IDs instead' },
  },
  examples: ['blazon directory approve agent://acme/x --server https://agents.example.com'],
  async run(context) {
    const { name, options, positionals, host, say } = context
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    expectSubjects(context, 'blazon directory list shows who waits')
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
    say(`letting in at ${origin}`)
    const note = (entered: number) => `${positionals.length} allowed at ${origin}, ${entered} waiting cards let in`
    return ruleOn(context, server, { verdict: 'allow' }, note)
  },
})
