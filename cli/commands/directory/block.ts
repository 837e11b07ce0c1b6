import { defineCommand } from '../../command.ts'
import { expectSubjects, ruleOn } from '../../net/rules.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'
import { given } from '../../usage.ts'

/** `blazon directory block`: blocks agents, keys and hosts, and removes their cards. */
export const command = defineCommand({
  usage: 'ID|KEY|HOST... --server URL',
  details: [
    'Removes every card of these agents (agent://...), signed with these keys',
    '(fingerprints, as blazon verify prints them), or with endpoints at these hosts',
    'and their subdomains, and blocks new ones. BLAZON_TOKEN in the environment is',
    'the token of the server.',
  ],
  options: {
    server: SERVER,
    reason: { value: 'TEXT', about: 'the reason, shown to anyone who is refused' },
    lift: { about: 'delete the rules about them instead' },
  },
  examples: ['blazon directory block spam.example --reason spam --server https://agents.example.com'],
  async run(context) {
    const { name, options, positionals, host, say } = context
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    expectSubjects(context, 'as in blazon directory block spam.example')
    const verdict = options.lift ? 'none' : 'block'
    say(`${options.lift ? 'lifting rules' : 'blocking'} at ${origin}`)
    const ruling = { verdict, ...given({ reason: options.reason }) } as const
    const note = () => `${positionals.length} ${options.lift ? 'lifted' : 'blocked'} at ${origin}`
    return ruleOn(context, { host, origin, token }, ruling, note)
  },
})
