import { inspectAgent } from '../../../bindings/agentlang/inspect.ts'
import { readHostOption, readNamedAgent } from '../../agentlang/agent.ts'
import { inspectionText } from '../../agentlang/inspect-text.ts'
import { HOST, LOGIN } from '../../agentlang/options.ts'
import { defineCommand } from '../../command.ts'
import { EXIT } from '../../exit.ts'
import { given } from '../../given.ts'
import { readKeys, TRUSTED_KEYS } from '../../keys.ts'

/** `blazon agent inspect`: what an agent may do, on one screen. */
export const command = defineCommand({
  usage: 'FOLDER|FILE|REF [--key KEY]... [--host HOST]',
  details: [
    'Shows an AgentLang agent before it runs: who signed it, what it asks for with',
    'the highest risk first, what it starts and fetches, its cost, the names of its',
    'secrets, and its sub-agents. Needs no secret, and starts nothing. Exits 4 if a',
    'container was changed or another key signed it.',
  ],
  options: { key: TRUSTED_KEYS, host: HOST, ...LOGIN },
  examples: [
    'blazon agent inspect coach@1.0.0.agent --key developer.pub --host desktop',
    'blazon agent inspect registry.example.com/acme/coach:1.0.0 --format json',
  ],
  async run(context) {
    const { options, positionals, reader, print } = context
    const name = reader.file(positionals, 'blazon agent inspect takes one agent')
    const keys = await readKeys(options.key, context)
    const host = await readHostOption(options.host, reader)
    const asked = { ...options, keys, accept: ['downgrade'] }
    const { file, kind, agent, container, diagnostics } = await readNamedAgent(name, asked, context)
    const result = { file, kind, valid: agent !== undefined, diagnostics }
    if (agent === undefined) {
      const exit = container === undefined ? EXIT.findings : EXIT.unverified
      return { results: [{ ...result, ...given({ proof: container?.proof }) }], exit }
    }
    const inspection = inspectAgent(agent, given({ host, container }))
    print(inspectionText(inspection, file))
    return { results: [{ ...result, inspection }] }
  },
})
