import { lockAgent } from '../../../bindings/agentlang/build.ts'
import { epochOf, loadAgent, readIndex, saveLock } from '../../agentlang/folder.ts'
import { FROZEN, INDEX } from '../../agentlang/options.ts'
import { defineCommand } from '../../command.ts'
import { given } from '../../given.ts'
import { answer } from '../../outcome.ts'
import { counted } from '../../report/words.ts'

/** `blazon agent lock`: writes agent.lock. */
export const command = defineCommand({
  usage: '[FOLDER] [--index FILE] [--frozen]',
  details: [
    'Writes agent.lock: the versions of tools, models and sub-agents, and the hash of',
    'every file. It stays as it is when nothing changed. Its time is that of',
    'SOURCE_DATE_EPOCH, if set. Without an index, only built-in tools are known, and',
    'models are locked without their context windows.',
  ],
  options: { index: INDEX, frozen: FROZEN },
  examples: ['blazon agent lock my-agent --index tools.json', 'blazon agent lock my-agent --frozen'],
  async run(context) {
    const { options, positionals, host } = context
    const index = await readIndex(options.index, context)
    const agent = await loadAgent(positionals, context)
    const asked = { ...given({ index }), ...epochOf(host), frozen: options.frozen }
    const { lock, changes, diagnostics } = lockAgent(agent.loaded, asked)
    const result = { file: agent.file, kind: 'agentlang', valid: lock !== undefined, diagnostics }
    if (lock === undefined) return { results: [result] }
    const written = options.frozen ? undefined : await saveLock(agent, lock, host)
    const notes = [written === undefined ? 'agent.lock is up to date' : `wrote ${written}: ${changed(changes.length)}`]
    return { results: [result, answer({ locked: { changes, written: written ?? null } })], notes }
  },
})

const changed = (count: number) => (count === 0 ? 'only its time or form changed' : counted(count, 'change'))
