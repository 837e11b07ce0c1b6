import { visible } from '../../../bindings/text/hidden.ts'
import { defineCommand } from '../../command.ts'
import { given } from '../../given.ts'
import { makeRules } from '../../net/rules.ts'
import { answer } from '../../outcome.ts'
import { neededServer, neededToken } from '../../publish/target.ts'
import { UsageError } from '../../usage.ts'

/** `blazon directory block`: keeps out agents, keys and hosts, and takes down what is there of them. */
export const command = defineCommand({
  usage: 'ID|KEY|HOST... --at URL',
  details: [
    'Takes down every card of these agents (agent://...), signed with these keys',
    '(fingerprints, as blazon verify prints them) or with endpoints at these hosts',
    'and the domains below, and keeps them out. BLAZON_TOKEN in the environment is',
    'the token of the server.',
  ],
  options: {
    at: { value: 'URL', about: 'the server' },
    reason: { value: 'TEXT', about: 'why, for whoever is refused' },
    lift: { about: 'lift the rules about them instead' },
  },
  examples: ['blazon directory block spam.example --reason spam --at https://agents.example.com'],
  async run({ name, options, positionals, host, print, say }) {
    const token = neededToken(name, host)
    const { origin } = neededServer(name, 'at', options.at)
    if (positionals.length === 0) {
      throw new UsageError(
        'missing-argument',
        `${name}: expected an ID, KEY or HOST`,
        'as in blazon directory block spam.example',
      )
    }
    const verdict = options.lift ? 'none' : 'block'
    say(`${options.lift ? 'lifting rules' : 'blocking'} at ${origin}`)
    const made = await makeRules({ host, origin, token }, positionals, {
      verdict,
      ...given({ reason: options.reason }),
    })
    if ('problem' in made) return { results: [made.problem] }
    for (const id of made.entered) print(`${visible(id)}\tlet in\n`)
    const results = [answer({ rules: { verdict, subjects: positionals, entered: made.entered } })]
    return { results, notes: [`${positionals.length} ${options.lift ? 'lifted' : 'blocked'} at ${origin}`] }
  },
})
