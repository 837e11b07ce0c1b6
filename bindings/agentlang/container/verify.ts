// Verifies a container: its form, who signed it, each file, the lock, and then the encrypted prompts.

import { parseTextWith } from '../../document/front-matter.ts'
import { parse } from '../../document/parse.ts'
import type { Files } from '../../document/types.ts'
import type { withYaml } from '../../document/yaml/on-demand.ts'
import { check } from '../../frame/check.ts'
import { NeedError, textIn } from '../../frame/needs.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { SIGN_AGAIN, type Verifying, type VerifyOptions, type VerifyTask } from '../../frame/signing.ts'
import type { Reader } from '../../frame/source.ts'
import type { Steps, StepTable } from '../../frame/steps.ts'
import { importKey } from '../../keys/import.ts'
import { isSameKey, type Key } from '../../keys/key.ts'
import { type KeySource, readPublicKey } from '../../keys/read.ts'
import { verifyBytes } from '../../keys/verify.ts'
import { isObject, type JsonObject, member, objectOf, textMember } from '../../text/members.ts'
import { counted, oneOf, quoted } from '../../text/words.ts'
import { AGENT_FILE, LOCK_FILE } from '../files.ts'
import { type LoadResult, loadWith, subAgentParts } from '../folder.ts'
import { misfitOf } from '../lock/lock.ts'
import { compareVersions, parseVersion } from '../lock/range.ts'
import {
  CONTAINER_READING,
  type Container,
  type ContainerFile,
  digestOf,
  MANIFEST,
  type Manifest,
  nameVersion,
  SIGNATURE,
  sourcePath,
  thumbprintOf,
} from './archive.ts'
import * as FINDINGS from './findings.ts'
import { MAKE_SECRET, openSecret, readSecret } from './secret.ts'
import { CONTAINER } from './specification.ts'

const SECTION = 'AgentLang, Container'
const STEPS = {
  document: ['Size and form', SECTION],
  signature: ['Signature of the manifest', SECTION],
  signer: ['A trusted key signed it', SECTION],
  agent: ['Agent and version', SECTION],
  digests: ['The files are those of the manifest', SECTION],
  lock: ['The files are those of agent.lock', 'AgentLang, Build Output'],
  decryption: ['The prompts can be decrypted', SECTION],
} as const satisfies StepTable<string>
type Step = keyof typeof STEPS
type ContainerSteps = Steps<Step>

/** What the caller knows about containers, in addition to what it expects of this one. */
export interface ContainerOptions extends VerifyOptions {
  /** The keys of developers by name. `keys` are used instead where they are given. */
  readonly developers?: Readonly<Record<string, readonly KeySource[]>>
  /** Decrypts the prompts. */
  readonly secret?: Uint8Array | string
  /** name@version of containers seen earlier: a lower version of one of them is refused. */
  readonly seen?: readonly string[]
}

/** A container in which no step failed. */
export interface ContainerContent {
  readonly manifest: Manifest
  /** The source files by path, with agent.lock; those that were not decrypted have the path and bytes of the archive. */
  readonly files: Files
  /** The paths of files that are still encrypted. */
  readonly encrypted: readonly string[]
}

/** Verifies containers, and passes on the content of those in which nothing failed. */
export const verifying = (take?: (content: ContainerContent) => void): Verifying<Container, Step> => ({
  ...CONTAINER_READING,
  steps: STEPS,
  expectOptions({ secret }: ContainerOptions) {
    if (secret !== undefined) readSecret(secret)
  },
  optionsOf(given): ContainerOptions {
    const secret = textIn(given, 'secret')
    if (secret === undefined) return {}
    try {
      readSecret(secret)
      return { secret }
    } catch {
      throw new NeedError('secret', 'this is not a secret', { code: 'invalid-value', hint: MAKE_SECRET })
    }
  },
  async verify(container, task, steps) {
    const content = await judge(container, task, steps)
    conclude(container.root.value as unknown as Manifest, steps)
    if (content !== undefined) take?.(content)
  },
})

export const CONTAINER_VERIFYING = verifying()
const hasFailed = (steps: ContainerSteps) => steps.proof().verdict === 'failed'

async function judge(
  container: Container,
  task: VerifyTask,
  steps: ContainerSteps,
): Promise<ContainerContent | undefined> {
  checkForm(container, steps)
  if (hasFailed(steps)) return undefined
  const manifest = container.root.value as unknown as Manifest
  const files = container.files!
  const key = readPublicKey(manifest.signer.public_key)
  const print = thumbprintOf(key)
  await checkSignature(files, manifest, { key, print }, task, steps)
  if (hasFailed(steps)) return undefined
  await checkSigner(manifest, { key, print }, task, steps)
  await checkDigests(files, manifest, task, steps)
  // Nothing is parsed that was not signed.
  const source = hasFailed(steps) ? undefined : await sourceOf(files, manifest)
  checkAgent(manifest, source, task, steps)
  if (hasFailed(steps) || source === undefined) return undefined
  const lock = await checkLock(files, manifest, source, steps)
  // Nothing is decrypted before everything else is right.
  return hasFailed(steps) ? undefined : decrypt(files, manifest, lock, task, steps)
}

/** A key with its thumbprint, by which all proofs name keys. */
interface NamedKey {
  readonly key: Key
  readonly print: string
}

const named = (print: string) => `the key with the thumbprint ${print}`

function checkForm(container: Container, steps: ContainerSteps): void {
  const { document, files } = container
  for (const found of check(CONTAINER, { document, diagnostics: [] }, ruleSettings({})).diagnostics)
    steps.addFinding('document', found, found.severity === 'error' ? 'failed' : 'warning')
  if (!hasFailed(steps)) steps.passed('document', counted(files!.size, 'file'))
}

async function checkSignature(
  files: Files,
  { signer: { key_id } }: Manifest,
  { key: publicKey, print }: NamedKey,
  { subtle }: VerifyTask,
  steps: ContainerSteps,
): Promise<void> {
  const [message, signature] = [files.get(MANIFEST)!, files.get(SIGNATURE)!]
  if (await verifyBytes({ algorithm: 'Ed25519', publicKey, message, signature, subtle }))
    steps.passed('signature', `by ${named(print)}, which the manifest names`, { key_id, fingerprint: print })
  else
    steps.failed('signature', `${SIGNATURE} does not match the manifest and ${named(print)}`, {
      rule: FINDINGS.CONTAINER_SIGNATURE,
      pointer: '/signer',
      fix: SIGN_AGAIN,
    })
}

async function checkSigner(
  { developer }: Manifest,
  { key, print }: NamedKey,
  { pinned, subtle, expect, options }: VerifyTask,
  steps: ContainerSteps,
): Promise<void> {
  const { developers = {} } = options as ContainerOptions
  const known = Object.hasOwn(developers, developer) ? developers[developer] : undefined
  const trusted = pinned ?? (known && (await Promise.all(known.map((one) => importKey(one, { subtle })))))
  const by = `${named(print)}, which says that it is of ${quoted(developer)}`
  if (trusted === undefined || expect.provider !== undefined) {
    const detail = expect.provider === undefined ? by : `${by}: a container names a developer, not a domain`
    const fix = { hint: 'give the key of the developer: blazon verify x.agent --key developer.pub' }
    steps.unknown('signer', detail, { rule: FINDINGS.SIGNER_UNKNOWN, pointer: '/signer', fix })
  } else if (trusted.some((one) => isSameKey(one, key))) steps.passed('signer', by)
  else steps.failed('signer', `${by}: not one of the trusted keys`, { rule: FINDINGS.SIGNER_OTHER, pointer: '/signer' })
}

/** Loads what reads YAML. */
const readingYaml: typeof withYaml = async (work) => (await import('../../document/yaml/on-demand.ts')).withYaml(work)

/** Reads the agent from which runtimes take its name. Prompts are empty here: they may still be encrypted. */
function sourceOf(files: Files, { files: listed }: Manifest): Promise<LoadResult> {
  const plain = ({ path, encrypted }: ContainerFile) => (encrypted === undefined ? files.get(path)! : new Uint8Array())
  const sources = new Map(listed.map((file) => [sourcePath(file.path), plain(file)]))
  return readingYaml((parseYaml) => {
    const reader: Reader = (source, options) => (options.format === 'json' ? parse : parseYaml)(source, options)
    return loadWith(reader, (source, options) => parseTextWith(parseYaml, source, options), sources)
  })
}

/** Says where agent.yaml has another value than the manifest. */
function otherMember(manifest: Manifest, { agent }: LoadResult) {
  if (agent === undefined) return { name: 'files', detail: `${AGENT_FILE} is missing, or cannot be read` }
  for (const name of ['name', 'version', 'developer'] as const) {
    const own = textMember(agent.root, name)?.value
    const found = own === undefined ? 'has none' : `has ${quoted(own)}`
    const detail = `${name}: the manifest has ${quoted(manifest[name])}, ${AGENT_FILE} ${found}`
    if (own !== manifest[name]) return { name, detail }
  }
  return undefined
}

function checkAgent(
  manifest: Manifest,
  source: LoadResult | undefined,
  { expect, options }: VerifyTask,
  steps: ContainerSteps,
): void {
  const { seen = [] } = options as ContainerOptions
  const own = nameVersion(manifest)
  const newer = seen.find((one) => one.startsWith(`${manifest.name}@`) && isBelow(manifest.version, one))
  const other = source && otherMember(manifest, source)
  if (other !== undefined)
    steps.failed('agent', other.detail, { rule: FINDINGS.CONTAINER_OTHER_SOURCE, pointer: `/${other.name}` })
  else if (expect.id !== undefined && expect.id !== own)
    steps.failed('agent', `expected ${quoted(expect.id)}, found ${own}`, {
      rule: FINDINGS.CONTAINER_AGENT,
      pointer: '/version',
    })
  else if (newer !== undefined)
    steps.failed('agent', `${own} is older than ${newer}, which was seen`, {
      rule: FINDINGS.CONTAINER_DOWNGRADE,
      pointer: '/version',
      fix: { hint: 'take a newer version; blazon agent pull takes this one with --accept downgrade' },
    })
  else steps.passed('agent', own)
}

/** Compares a version with one that was seen, which may have the name of its agent. */
export function isBelow(version: string, seen: string): boolean {
  const [own, other] = [version, seen.slice(seen.indexOf('@') + 1)].map(parseVersion)
  return own !== undefined && other !== undefined && compareVersions(own, other) < 0
}

async function checkDigests(
  files: Files,
  { files: listed, lock_sha256: lock }: Manifest,
  { subtle }: VerifyTask,
  steps: ContainerSteps,
): Promise<void> {
  const digests = await Promise.all(listed.map(({ path }) => digestOf(files.get(path)!, subtle)))
  const other = listed.findIndex(
    ({ path, sha256 }, i) => digests[i] !== sha256 || (path === LOCK_FILE && sha256 !== lock),
  )
  if (other < 0) steps.passed('digests', counted(listed.length, 'file'))
  else
    steps.failed('digests', `${quoted(listed[other]!.path)} is not the file that was signed`, {
      rule: FINDINGS.CONTAINER_DIGEST,
      pointer: `/files/${other}/sha256`,
    })
}

/** Compares the entries of plain files. Returns all entries, for those of encrypted files. */
async function checkLock(
  files: Files,
  { files: listed }: Manifest,
  { agent, folder }: LoadResult,
  steps: ContainerSteps,
): Promise<JsonObject | undefined> {
  const bytes = files.get(LOCK_FILE)
  if (bytes === undefined) {
    steps.skipped('lock', `the container has no ${LOCK_FILE}`)
    return undefined
  }
  const { document } = await readingYaml((parseYaml) => parseYaml(bytes, LOCK_LIMITS))
  const entries = member(objectOf(document?.value), 'files')
  const remark = { rule: FINDINGS.CONTAINER_LOCK, pointer: '/lock_sha256' }
  if (!isObject(entries)) {
    steps.failed('lock', 'it cannot be read, or has no files', remark)
    return undefined
  }
  const own = new Map(listed.flatMap((file) => (file.path === LOCK_FILE ? [] : [[sourcePath(file.path), file]])))
  const paths = new Set([...own.keys(), ...Object.keys(entries)])
  const isOther = (path: string) => {
    const [file, entry] = [own.get(path), member(entries, path)]
    return file?.encrypted === undefined ? entry !== `sha256:${file?.sha256}` : !SEALED_ENTRY.test(String(entry))
  }
  const other = [...paths].find(isOther)
  const fault =
    other === undefined
      ? misfitOf(objectOf(document?.value), agent!.root.value, subAgentParts(folder!))
      : `${quoted(other)} is not the file of the lock`
  if (fault === undefined) steps.passed('lock', counted(paths.size, 'file'))
  else steps.failed('lock', fault, remark)
  return entries
}

const LOCK_LIMITS = { file: LOCK_FILE, maxBytes: 4 << 20, maxDepth: 16 }
const SEALED_ENTRY = /^hmac-sha256:[0-9a-f]{64}$/

async function decrypt(
  files: Files,
  manifest: Manifest,
  lock: JsonObject | undefined,
  { subtle, options }: VerifyTask,
  steps: ContainerSteps,
): Promise<ContainerContent | undefined> {
  const { secret } = options as ContainerOptions
  const opened = secret === undefined ? undefined : await openSecret(secret, nameVersion(manifest), { subtle })
  const sources = new Map<string, Uint8Array>()
  const encrypted: string[] = []
  for (const [i, file] of manifest.files.entries()) {
    const [stored, path] = [files.get(file.path)!, sourcePath(file.path)]
    if (file.encrypted !== undefined && file.encrypted.key_id === opened?.id) {
      const plain = await opened.decrypt(path, stored)
      const entry = plain && lock && (await opened.lockEntry(path, plain))
      if (plain === undefined || entry !== member(lock, path)) {
        const why = plain === undefined ? 'cannot be decrypted' : `is not the file of ${LOCK_FILE}`
        const remark = { rule: FINDINGS.CONTAINER_DECRYPTION, pointer: `/files/${i}` }
        steps.failed('decryption', `${quoted(path)} ${why}`, remark)
        return undefined
      }
      sources.set(path, plain)
    } else {
      sources.set(file.path, stored)
      if (file.encrypted !== undefined) encrypted.push(file.path)
    }
  }
  const ids = [...new Set(manifest.files.flatMap((file) => file.encrypted?.key_id ?? []))]
  if (ids.length === 0) steps.skipped('decryption', 'nothing is encrypted')
  else if (opened === undefined) steps.skipped('decryption', `not judged: the secret ${oneOf(ids)} was not given`)
  else if (encrypted.length === 0) steps.passed('decryption', `with the secret ${opened.id}`)
  else
    steps.unknown('decryption', `the secret ${oneOf(ids)} is needed, ${opened.id} was given`, {
      rule: FINDINGS.CONTAINER_SECRET,
      pointer: '/files',
    })
  return { manifest, files: sources, encrypted }
}

/** Says what follows from the steps. That nothing was changed and who signed are two answers. */
function conclude({ developer, files }: Manifest, steps: ContainerSteps): void {
  const { steps: all } = steps.proof()
  const has = (step: Step) => all.some(({ name, outcome }) => name === step && outcome === 'passed')
  const isWhole = has('signature') && has('digests')
  const isKnown = isWhole && has('signer')
  const shows = isWhole ? ['that nobody changed the files after they were signed'] : []
  const doesNotShow = ['that the agent is harmless: its permissions and prompts show what it may do']
  if (isKnown) shows.push(`that a key that you trust signed them, in the name of ${quoted(developer)}`)
  else doesNotShow.push('who signed it: that takes a key from the developer, not from the container')
  if (!has('decryption') && !(isWhole && files.every(({ encrypted }) => encrypted === undefined)))
    doesNotShow.push('what the encrypted prompts say: that takes their secret')
  steps.conclude({ shows, doesNotShow })
}
