import {
  buildContainer,
  isEncrypted,
  type LockAgentOptions,
  lockAgent,
} from '../../../bindings/agentlang/container/build.ts'
import { writeSecret } from '../../../bindings/agentlang/container/secret.ts'
import type { Agent } from '../../../bindings/agentlang/folder.ts'
import type { Diagnostic } from '../../../bindings/document/types.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import { epochOf, loadAgent, readIndex, saveLock } from '../../agentlang/folder.ts'
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
import { placeOf } from '../../agentlang/place.ts'
import { defineCommand, type Tools } from '../../command.ts'
import { PRIVATE_FILE, PRIVATE_KEY, readKey, signedWith } from '../../keys.ts'
import { answer } from '../../outcome.ts'
import { counted, phrase } from '../../report/report.ts'
import { save } from '../../save.ts'
import { given, UsageError } from '../../usage.ts'

/** `blazon agent lock`: writes agent.lock. */
export const lock = defineCommand({
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

/** `blazon agent build`: makes the signed container of an agent. */
export const build = defineCommand({
  usage: '[FOLDER] --key KEY [--secret SECRET] [--out FILE]',
  details: [
    'Checks the agent, writes agent.lock, encrypts the prompts, and writes the signed',
    'container NAME@VERSION.agent. Errors refuse the build. The same files, lockfile,',
    'key and secret give the same bytes. Prints the SHA-256 of the container, as',
    'sha256sum does. A container with other bytes is never overwritten.',
    'With --quality, rules judge the prompts, and so does the model of --reviewer,',
    'which gets them in plain text. A score below 0.7 refuses the build.',
  ],
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
  examples: [
    'blazon agent build my-agent --key developer.key --new-secret agent.secret',
    'blazon agent build my-agent --key env:AGENT_KEY --frozen --out dist/',
  ],
  async run(context) {
    const { options, positionals, host, print } = context
    const { 'new-secret': newSecret, frozen, quality } = options
    const key = await readKey(options.key, context)
    const { secret } = newSecret === undefined ? await readAgentSecret(options.secret, context) : newlyMade(options)
    const agent = await loadAgent(positionals, context)
    const index = await readIndex({ index: options.index, folder: positionals[0] }, context)
    const prompt = agent.loaded.folder?.paths.find(isEncrypted)
    if (secret === undefined && prompt !== undefined)
      throw missingSecret('agent build', `${prompt} is encrypted in a container`)
    const asked = { key, frozen, quality, ...epochOf(host), ...given({ secret, index }) }
    const reviewer = await reviewerFor(agent.loaded.agent, context)
    const reviewed = { ...asked, ...given({ review: reviewer?.review }) }
    const built = await signedWith(buildContainer(agent.loaded, reviewed)).finally(reviewer?.end)
    const { bytes, lock, diagnostics, paths, encrypted, leftOut, review } = built
    const judged = { valid: bytes !== undefined, diagnostics, ...given({ review }) }
    const result = { file: agent.file, kind: 'agentlang', ...judged }
    const reviewNotes = review?.notes.map((note) => `review: ${visible(note)}`) ?? []
    if (bytes === undefined || lock === undefined) return { results: [result], notes: reviewNotes }
    const { out, isWritten } = await placeOf(built.name!, bytes, options, context)
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
  const { openReviewer } = await import('../../agentlang/reviewer.ts')
  return openReviewer(reviewer, context.options['model-key'], agent, context)
}

interface ReviewerOptions {
  readonly reviewer: string | undefined
  readonly 'model-key': string | undefined
  readonly quality: boolean
}

function newlyMade({ secret }: { readonly secret: string | undefined }): { readonly secret: string } {
  if (secret === undefined) return { secret: writeSecret(crypto.getRandomValues(new Uint8Array(32))) }
  throw new UsageError('wrong-arguments', '--secret and --new-secret exclude each other', 'leave out one')
}
