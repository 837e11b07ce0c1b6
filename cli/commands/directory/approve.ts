import { visible } from '../../../bindings/text/hidden.ts'
import { defineCommand } from '../../command.ts'
import { makeRules, operate } from '../../net/rules.ts'
import { answer } from '../../outcome.ts'
import { neededServer, neededToken } from '../../publish/target.ts'
import { UsageError } from '../../usage.ts'

/** Waiting cards that a server drops at once. */
const MOST_DROPPED = 100

/** `blazon directory approve`: lets in agents, keys and hosts, with the cards of theirs that wait. */
export const command = defineCommand({
  usage: 'ID|KEY|HOST... --at URL',
  details: [
    'Lets in these agents (agent://...), keys (fingerprints) or hosts with all below,',
    'with the cards of theirs that wait; also what was removed or blocked.',
    'BLAZON_TOKEN in the environment is the token of the server.',
  ],
  options: {
    at: { value: 'URL', about: 'the server' },
    refuse: { about: 'drop the waiting cards of these IDs instead' },
  },
  examples: ['blazon directory approve agent://acme/x --at https://agents.example.com'],
  async run({ name, options, positionals, host, print, say }) {
    const token = neededToken(name, host)
    const { origin } = neededServer(name, 'at', options.at)
    if (positionals.length === 0) {
      throw new UsageError(
        'missing-argument',
        `${name}: expected an ID, KEY or HOST`,
        'blazon directory list shows who waits',
      )
    }
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
    const made = await makeRules(server, positionals, { verdict: 'allow' })
    if ('problem' in made) return { results: [made.problem] }
    for (const id of made.entered) print(`${visible(id)}\tlet in\n`)
    const results = [answer({ rules: { verdict: 'allow', subjects: positionals, entered: made.entered } })]
    return {
      results,
      notes: [`${positionals.length} allowed at ${origin}, ${made.entered.length} waiting cards let in`],
    }
  },
})
