import { isAgentUri, isKeyName, readAgentUri } from '../../../bindings/card/agent-uri.ts'
import { member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { operate } from '../../net/rules.ts'
import { answer, type Result } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'
import { UsageError } from '../../usage.ts'

/** `blazon directory remove`: removes cards; their ids stay blocked. */
export const command = defineCommand({
  usage: 'ID... --reason TEXT --server URL',
  details: [
    'Removes the cards of agents. Anyone who asks for one gets the reason. The agent',
    'stays blocked until blazon directory approve allows it again. BLAZON_TOKEN in',
    'the environment is the token of the server.',
  ],
  options: {
    server: SERVER,
    reason: { value: 'TEXT', about: 'the reason, shown to anyone who asks for the card' },
  },
  examples: ['blazon directory remove agent://acme/x --reason spam --server https://agents.example.com'],
  async run({ name, options, positionals, host, print, say }) {
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    const { reason = '' } = options
    if (reason.trim() === '') {
      throw new UsageError('missing-option', `${name} needs --reason TEXT`, 'anyone who asks for the card gets it')
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
      print(`${id}\t${removed ? 'removed' : 'was not there; blocked from now on'}\n`)
      results.push(answer({ removal: { id, removed, reason } }))
    }
    const notes = positionals.some(isKey) ? [OTHER_NAMES] : []
    return { results, notes: [`${positionals.length} blocked at ${origin}`, ...notes] }
  },
})

/** True when the id is a key: such a key has several spellings and ids. */
function isKey(id: string): boolean {
  const read = readAgentUri(id)
  return 'authority' in read && isKeyName(read.authority)
}

const OTHER_NAMES =
  'only this id is blocked: to block all ids of a key, give blazon directory block the fingerprint that blazon verify prints'
