import { isAgentUri, readAgentUri } from '../../../bindings/card/agent-uri.ts'
import { isKeyName } from '../../../bindings/card/key-name.ts'
import { member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { operate } from '../../net/rules.ts'
import { answer, type Result } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'
import { UsageError } from '../../usage.ts'

/** `blazon directory remove`: takes cards down; their ids stay blocked. */
export const command = defineCommand({
  usage: 'ID... --reason TEXT --server URL',
  details: [
    'Takes the cards of agents down. Whoever asks for one is told the reason, and the',
    'agent stays away until blazon directory approve lets it in again. BLAZON_TOKEN',
    'in the environment is the token of the server.',
  ],
  options: {
    server: SERVER,
    reason: { value: 'TEXT', about: 'why, for whoever asks for the card' },
  },
  examples: ['blazon directory remove agent://acme/x --reason spam --server https://agents.example.com'],
  async run({ name, options, positionals, host, print, say }) {
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    const { reason = '' } = options
    if (reason.trim() === '') {
      throw new UsageError('missing-option', `${name} needs --reason TEXT`, 'whoever asks for the card is told it')
    }
    if (positionals.length === 0) {
      throw new UsageError('missing-argument', `${name}: expected an ID`, 'as in agent://acme/translator')
    }
    for (const id of positionals) {
      if (!isAgentUri(id))
        throw new UsageError('wrong-arguments', `${name}: ${id} is not the id of an agent`, 'it begins with agent://')
    }
    say(`removing from ${origin}`)
    const results: Result[] = []
    for (const id of positionals) {
      const path = `/agents/${encodeURIComponent(id.slice('agent://'.length))}?${new URLSearchParams({ reason })}`
      const answered = await operate({ host, origin, token }, path, { method: 'DELETE' })
      if ('problem' in answered) return { results: [...results, answered.problem] }
      const removed = member(answered.members, 'removed') === true
      print(`${id}\t${removed ? 'removed' : 'was not there, and is kept out'}\n`)
      results.push(answer({ removal: { id, removed, reason } }))
    }
    const notes = positionals.some(isKey) ? [OTHER_NAMES] : []
    return { results, notes: [`${positionals.length} blocked at ${origin}`, ...notes] }
  },
})

/** A key has several spellings, and ids below it. */
function isKey(id: string): boolean {
  const read = readAgentUri(id)
  return 'authority' in read && isKeyName(read.authority)
}

const OTHER_NAMES =
  'an id that is a key keeps out no other id of that key: blazon directory block does, with its fingerprint, as blazon verify prints it'
