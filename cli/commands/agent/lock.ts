import { type LockAgentOptions, lockAgent } from '../../../bindings/agentlang/build.ts'
import type { Diagnostic } from '../../../bindings/document/types.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { epochOf, loadAgent, readIndex, saveLock } from '../../agentlang/folder.ts'
import { ENV, FROZEN, INDEX } from '../../agentlang/options.ts'
import { defineCommand } from '../../command.ts'
import { answer } from '../../outcome.ts'
import { counted } from '../../report/words.ts'
import { given } from '../../usage.ts'

/** `blazon agent lock`: writes agent.lock. */
export const command = defineCommand({
  usage: '[FOLDER] [--index FILE] [--mcp NAME|all] [--frozen]',
  details: [
    'Writes agent.lock: the versions of tools, models and sub-agents, and the hash of',
    'every file. It stays as it is when nothing changed. Its time is that of',
    'SOURCE_DATE_EPOCH, if set. Without an index, only built-in tools and those of',
    'agent.lock are known. With --mcp, starts these MCP',
    'servers, and pins their tools and instructions. A server gets PATH and the',
    'variables of --env, and nothing else of the environment.',
  ],
  options: {
    index: INDEX,
    frozen: FROZEN,
    mcp: { value: 'NAME', many: true, about: 'start this MCP server, or `all`, and pin its tools' },
    env: ENV,
    work: { value: 'FOLDER', about: 'where servers work (default: a new one)' },
  },
  examples: [
    'blazon agent lock my-agent --index tools.json',
    'blazon agent lock my-agent --mcp Stripe --env STRIPE_KEY',
    'blazon agent lock my-agent --frozen',
  ],
  async run(context) {
    const { options, positionals, host } = context
    const agent = await loadAgent(positionals, context)
    const index = await readIndex({ index: options.index, folder: positionals[0] }, context)
    const { file, loaded } = agent
    const asked = { ...given({ index }), ...epochOf(host) }
    let mcp: LockAgentOptions['mcp']
    const refuse = (...diagnostics: readonly Diagnostic[]) => {
      return { results: [{ file, kind: 'agentlang', valid: false, diagnostics }] }
    }
    if (options.mcp.length > 0) {
      // No server starts for an agent that cannot be locked.
      const before = lockAgent(loaded, asked)
      if (before.lock === undefined) return refuse(...before.diagnostics)
      const { describeServers } = await import('../../agentlang/servers.ts')
      const servers = await describeServers(loaded.agent!, options, context)
      if (servers.diagnostics.length > 0) return refuse(...before.diagnostics, ...servers.diagnostics)
      mcp = servers.mcp
    }
    const { lock, changes, diagnostics } = lockAgent(loaded, { ...asked, ...given({ mcp }), frozen: options.frozen })
    if (lock === undefined) return refuse(...diagnostics)
    const written = options.frozen ? undefined : await saveLock(agent, lock, host)
    const pinned = Object.entries(mcp ?? {})
    const notes = [
      ...pinned.map(([name, { tools }]) => visible(`pinned ${name}: ${counted(tools.length, 'tool')}`)),
      written === undefined ? 'agent.lock is up to date' : `wrote ${written}: ${changed(changes.length)}`,
    ]
    const result = { file, kind: 'agentlang', valid: true, diagnostics }
    return { results: [result, answer({ locked: { changes, written: written ?? null } })], notes }
  },
})

const changed = (count: number) => (count === 0 ? 'only its time or form changed' : counted(count, 'change'))
