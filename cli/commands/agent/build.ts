import { buildContainer, isEncrypted } from '../../../bindings/agentlang/build.ts'
import { writeSecret } from '../../../bindings/agentlang/container/secret.ts'
import type { Agent } from '../../../bindings/agentlang/folder.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import { epochOf, loadAgent, readIndex, saveLock } from '../../agentlang/folder.ts'
import {
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
import { counted, phrase } from '../../report/words.ts'
import { save } from '../../save.ts'
import { given, UsageError } from '../../usage.ts'

/** `blazon agent build`: makes the signed container of an agent. */
export const command = defineCommand({
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
