import { buildContainer, isEncrypted, lockAgent } from '../../../bindings/agentlang/container/build.ts'
import { writeSecret } from '../../../bindings/agentlang/container/secret.ts'
import type { Agent } from '../../../bindings/agentlang/folder.ts'
import type { Diagnostic } from '../../../bindings/document/types.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import { containerPlace, epochOf, loadAgent, readIndex, saveLock } from '../../agentlang/folder.ts'
import {
  ENV,
  FROZEN,
  INDEX,
  KEY_VARIABLE,
  MODEL_KEY,
  missingSecret,
  readAgentSecret,
  SECRET,
} from '../../agentlang/options.ts'
import { answer, compact, defineCommand, type Tools, UsageError } from '../../command.ts'
import { PRIVATE_FILE, PRIVATE_KEY, readKey, signedWith } from '../../keys.ts'
import { counted, phrase } from '../../report/report.ts'
import { save } from '../../save.ts'

/** `blazon agent lock`: writes agent.lock. */
export const lock = defineCommand({
  options: {
    index: INDEX,
    frozen: FROZEN,
    mcp: { value: 'NAME', many: true, about: 'start this MCP server, or `all`, and pin its tools' },
    env: ENV,
    work: { value: 'FOLDER', about: 'where servers work (default: a new one)' },
  },
  async run(context) {
    const { options, positionals, host } = context
    const agent = await loadAgent(positionals, context)
    const index = await readIndex({ index: options.index, folder: positionals[0] }, context)
    const { file, loaded } = agent
    const asked = { ...compact({ index }), ...epochOf(host) }
    let mcp: lockAgent.Options['mcp']
    const refuse = (...diagnostics: readonly Diagnostic[]) => {
      return { results: [{ file, kind: 'agentlang', valid: false, diagnostics }] }
    }
    if (options.mcp.length > 0) {
      // No server starts for an agent that cannot be locked.
      const before = lockAgent(loaded, asked)
      if (before.lock === undefined) return refuse(...before.diagnostics)
      const { describeServers } = await import('../../agentlang/tools.ts')
      const servers = await describeServers(loaded.agent!, options, context)
      if (servers.diagnostics.length > 0) return refuse(...before.diagnostics, ...servers.diagnostics)
      mcp = servers.mcp
    }
    const { lock, changes, diagnostics } = lockAgent(loaded, { ...asked, ...compact({ mcp }), frozen: options.frozen })
    if (lock === undefined) return refuse(...diagnostics)
    const written = options.frozen ? undefined : await saveLock(agent, lock, host)
    const pinned = Object.entries(mcp ?? {})
    const notes = [
      ...pinned.map(([name, { tools }]) => visible(`pinned ${name}: ${counted(tools.length, 'tool')}`)),
      written === undefined ? 'agent.lock is up to date' : `wrote ${written}: ${describeChanges(changes.length)}`,
    ]
    const result = { file, kind: 'agentlang', valid: true, diagnostics }
    return { results: [result, answer({ locked: { changes, written: written ?? null } })], notes }
  },
})

const describeChanges = (count: number) => (count === 0 ? 'only its time or form changed' : counted(count, 'change'))

export const build = defineCommand({
  options: {
    key: {
      ...PRIVATE_KEY,
      about: `${PRIVATE_KEY.about} (default env:${KEY_VARIABLE})`,
      needed: 'as in --key developer.key, which blazon keygen --out developer.key makes',
      variable: KEY_VARIABLE,
    },
    secret: SECRET,
    'new-secret': { value: 'FILE', about: 'make a secret, and write it to this new file' },
    index: INDEX,
    frozen: FROZEN,
    quality: { about: 'judge the prompts by the ruleset strict, and by --reviewer' },
    reviewer: { value: 'ADAPTER', about: 'with --quality: script:FILE, stdio:COMMAND or chat:URL' },
    'model-key': MODEL_KEY,
    out: { value: 'FILE', about: 'the container, or the folder for it' },
  },
  async run(context) {
    const { options, positionals, host, print } = context
    const { 'new-secret': newSecret, frozen, quality } = options
    const key = await readKey(options.key, context)
    const { secret } = newSecret === undefined ? await readAgentSecret(options.secret, context) : makeSecret(options)
    const agent = await loadAgent(positionals, context)
    const index = await readIndex({ index: options.index, folder: positionals[0] }, context)
    const prompt = agent.loaded.folder?.paths.find(isEncrypted)
    if (secret === undefined && prompt !== undefined)
      throw missingSecret('agent build', `${prompt} is encrypted in a container`)
    const asked = { key, frozen, quality, ...epochOf(host), ...compact({ secret, index }) }
    const reviewer = await reviewerFor(agent.loaded.agent, context)
    const reviewed = { ...asked, ...compact({ review: reviewer?.review }) }
    const built = await signedWith(buildContainer(agent.loaded, reviewed)).finally(reviewer?.end)
    const { bytes, lock, diagnostics, paths, encrypted, leftOut, review } = built
    const judged = { valid: bytes !== undefined, diagnostics, ...compact({ review }) }
    const result = { file: agent.file, kind: 'agentlang', ...judged }
    const reviewNotes = review?.notes.map((note) => `review: ${visible(note)}`) ?? []
    if (bytes === undefined || lock === undefined) return { results: [result], notes: reviewNotes }
    const { out, isWritten } = await containerPlace(built.name!, bytes, options, context)
    if (newSecret !== undefined) await save(host, newSecret, `${secret}\n`, PRIVATE_FILE)
    const locked = frozen ? undefined : await saveLock(agent, lock, host)
    if (!isWritten) await save(host, out, bytes, { create: true })
    const digest = toHex(sha256(bytes))
    print(`${digest}  ${out}\n`)
    const parts = [
      counted(bytes.length, 'byte'),
      counted(paths.length, 'file'),
      `${encrypted.length} encrypted`,
      `${leftOut.length} left out`,
    ]
    const notes = [
      ...(newSecret === undefined ? [] : [`wrote the secret to ${newSecret}; who runs the agent needs it`]),
      ...(locked === undefined ? [] : [`wrote ${locked}`]),
      ...reviewNotes,
      ...(quality ? [review === undefined ? NO_MODEL : `the reviewer gave ${review.score} of 1`] : []),
      `${isWritten ? 'unchanged:' : 'wrote'} ${out}: ${phrase(parts)}`,
    ]
    const container = { file: out, sha256: digest, bytes: bytes.length, files: paths, encrypted, leftOut }
    return { results: [result, answer({ container })], notes }
  },
})

const NO_MODEL = 'no model looked at the prompts, only rules; --reviewer names a model'

/** The reviewer that --reviewer names. Without one, the code that runs models is not loaded. */
async function reviewerFor(agent: Agent | undefined, context: Tools & { readonly options: ReviewerOptions }) {
  const { reviewer, quality } = context.options
  if (reviewer === undefined || agent === undefined) return undefined
  if (!quality) throw new UsageError('wrong-arguments', '--reviewer needs --quality', 'add it, or leave out --reviewer')
  const { openReviewer } = await import('../../agentlang/models.ts')
  return openReviewer(reviewer, context.options['model-key'], agent, context)
}

interface ReviewerOptions {
  readonly reviewer: string | undefined
  readonly 'model-key': string | undefined
  readonly quality: boolean
}

function makeSecret({ secret }: { readonly secret: string | undefined }): { readonly secret: string } {
  if (secret === undefined) return { secret: writeSecret(crypto.getRandomValues(new Uint8Array(32))) }
  throw new UsageError('wrong-arguments', '--secret and --new-secret exclude each other', 'leave out one')
}
