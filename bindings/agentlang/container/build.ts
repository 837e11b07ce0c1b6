// Locks an agent, builds its container, and restores its folder from the container.
import type { FindingKind } from '../../document/finding.ts'
import { type Document, parse } from '../../document/parse.ts'
import type { Diagnostic, Files } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import { Findings } from '../../frame/collect.ts'
import { fileIn, folderIn, type GivenFolder, NeedError, type NeedValues, textIn } from '../../frame/needs.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import type { Comparing } from '../../frame/signing.ts'
import { ruleDiagnostic } from '../../frame/subject.ts'
import { generateKey } from '../../keys/generate.ts'
import { type PlatformOptions, subtleOf } from '../../keys/platform.ts'
import type { KeySource } from '../../keys/read.ts'
import { sameBytes } from '../../text/bytes.ts'
import { visible } from '../../text/hidden.ts'
import { isObject, isText, type JsonObject, member, objectOf, parsePointer, textMember } from '../../text/members.ts'
import { cut, quoted, shown } from '../../text/words.ts'
import { INDEX_FILE, LOCK_FILE } from '../files.ts'
import { MISSING_MEMBER } from '../findings.ts'
import { type Agent, type AgentFolder, fileNameOf, type LoadResult, subAgentParts } from '../folder.ts'
import { FROZEN_LOCK, UNKNOWN_TOOL, UNMATCHED_VERSION } from '../lock/findings.ts'
import { compareLocks, hashOfBytes, lockedIndex, makeLock, withEntries } from '../lock/lock.ts'
import { hiddenInServer, LOCK } from '../lock/specification.ts'
import { writeLock } from '../lock/write.ts'
import { compile, PROMPT } from '../prompt/specification.ts'
import { AGENTLANG } from '../specification.ts'
import { load, loadWhole } from '../verbs.ts'
import { Container, MANIFEST, nameVersion, parseArchive, SIGNATURE, storedPath } from './archive.ts'
import { CONTAINER_REBUILD, CONTAINER_SOURCE, PROMPT_REVIEW } from './findings.ts'
import { sealContainer } from './seal.ts'
import { MAKE_SECRET, openSecret } from './secret.ts'

export declare namespace lockAgent {
  interface Result {
    /** Undefined when there are errors. */
    readonly lock: JsonObject | undefined
    /** The differences from the lockfile of the folder; all of it is new without one. */
    readonly changes: readonly compareLocks.Change[]
    readonly diagnostics: readonly Diagnostic[]
  }

  interface Options extends Pick<makeLock.Parts, 'epoch' | 'now' | 'mcp'> {
    /** Tools and models by name. Without it, models are locked without details, and only built-in tools are known. */
    readonly index?: unknown
    /** Refuses differences from the lockfile of the folder. */
    readonly frozen?: boolean
    /** The time to write, whatever the clock says: that of an earlier build. */
    readonly resolvedAt?: string
  }
}

/**
 * Makes the lockfile of an agent. The one that its folder has is the previous one.
 *
 * @throws {TypeError} or {RangeError} for an invalid time, {DocumentError} for an index with values that JSON does not have.
 */
export function lockAgent(
  { agent, folder, diagnostics }: LoadResult,
  options: lockAgent.Options = {},
): lockAgent.Result {
  if (agent === undefined || folder === undefined) return { lock: undefined, changes: [], diagnostics }
  const faults = folder.lock === undefined ? [] : check(LOCK, folder.lock.parsed, ruleSettings({})).diagnostics
  const read = [...diagnostics, ...faults]
  if (hasErrors(read)) return { lock: undefined, changes: [], diagnostics: read }
  return lockChecked(agent, folder, options, read)
}

export declare namespace buildContainer {
  interface Options extends lockAgent.Options, PlatformOptions {
    /** The private Ed25519 key of the developer. */
    readonly key: KeySource | CryptoKeyPair
    /** Encrypts the prompts; required if there are any. */
    readonly secret?: Uint8Array | string
    /** Judges the prompts by the ruleset `strict`. */
    readonly quality?: boolean
    /** Reviews the prompts, if there are any, in plain text. */
    readonly review?: Reviewer
    /** The lowest score with which the agent is built; default: 0.7. */
    readonly threshold?: number
  }

  interface Result extends lockAgent.Result {
    /** Undefined when there are errors. */
    readonly bytes: Uint8Array<ArrayBuffer> | undefined
    /** The name of the file: `name@version.agent`. */
    readonly name: string | undefined
    /** The source files in the container. */
    readonly paths: readonly string[]
    /** Those that are encrypted. */
    readonly encrypted: readonly string[]
    readonly leftOut: readonly string[]
    /** What the reviewer answered; undefined when it was not asked. */
    readonly review?: Review
  }
}

const THRESHOLD = 0.7

/**
 * Checks an agent, locks it, and builds its container: the same bytes for the same files, lockfile, key and secret.
 * Errors refuse the build.
 *
 * @throws {TypeError} or {RangeError} for wrong arguments and a missing secret, {KeyError} for an unusable key.
 */
export async function buildContainer(
  loaded: LoadResult,
  options: buildContainer.Options,
): Promise<buildContainer.Result> {
  const { agent, folder } = loaded
  const { leftOut = [], paths = [] } = folder ?? {}
  const encrypted = paths.filter(isEncrypted)
  const refuse = (
    diagnostics: readonly Diagnostic[],
    changes: readonly compareLocks.Change[] = [],
  ): buildContainer.Result => {
    return { bytes: undefined, name: undefined, lock: undefined, changes, diagnostics, paths, encrypted, leftOut }
  }
  if (agent === undefined || folder === undefined) return refuse(loaded.diagnostics)
  const found = checked(agent, folder, loaded.diagnostics, options)
  if (hasErrors(found)) return refuse(found)
  const fail = (rule: FindingKind, detail: string) =>
    refuse([...found, ruleDiagnostic(agent.document, rule, 'error', '', detail)])
  const developer = textMember(agent.root, 'developer')?.value
  if (developer === undefined)
    return fail(MISSING_MEMBER, "The key 'developer' is missing: a container names its developer")
  const { lock, changes, diagnostics } = lockChecked(agent, folder, options, found)
  if (lock === undefined) return refuse(diagnostics, changes)
  const { key, secret, subtle = subtleOf({}), threshold = THRESHOLD } = options
  const review = options.review && (await reviewOf(agent, folder, options.review))
  if (typeof review === 'string')
    return fail(PROMPT_REVIEW, `The reviewer gave no review: ${visible(cut(review, 500))}`)
  const reviewed = review && { review }
  if (review !== undefined && review.score < threshold)
    return { ...fail(PROMPT_REVIEW, `The score is ${review.score}, expected at least ${threshold}`), ...reviewed }
  const named = { name: agent.name!, version: textMember(agent.root, 'version')!.value, developer }
  const files = filesAt(folder, paths)
  const opened = secret === undefined ? undefined : await openSecret(secret, nameVersion(named), { subtle })
  const entries = new Map<string, string>()
  for (const path of encrypted) {
    if (opened === undefined) throw new TypeError(`secret: expected one, because ${quoted(path)} is encrypted`)
    entries.set(path, await opened.lockEntry(path, files.get(path)!))
  }
  const sealed = lockBytes(withEntries(lock, subAgentParts(folder), entries))
  try {
    const bytes = await sealContainer({ ...named, files, lock: sealed, key, subtle, ...(secret && { secret }) })
    const name = `${nameVersion(named)}.agent`
    return { bytes, name, lock, changes, diagnostics, paths, encrypted, leftOut, ...reviewed }
  } catch (error) {
    // The key and the secret were read before, so the reason is in the folder.
    if (error instanceof RangeError) return fail(CONTAINER_SOURCE, error.message)
    throw error
  }
}

/**
 * Builds an agent again, and reports the entries in which its container differs. The key is not needed: who signed the
 * container is not compared, nor when it was locked.
 *
 * @throws as `buildContainer` does.
 */
export async function compareWithSource(
  container: Document,
  loaded: LoadResult,
  options: Omit<buildContainer.Options, 'key'>,
): Promise<readonly Diagnostic[]> {
  const theirs = new Container(container).files
  const lock = theirs?.get(LOCK_FILE)
  const locked = lock && parseAs(LOCK, lock, { format: 'yaml' }).document
  const resolvedAt = member(objectOf(locked?.value), 'resolved_at')
  const time = typeof resolvedAt === 'string' ? { resolvedAt } : {}
  const key = (await generateKey('Ed25519', options)).privateKey
  const built = await buildContainer(loaded, { ...options, ...time, key })
  if (built.bytes === undefined) return built.diagnostics
  const manifest = parseArchive(built.bytes).document!
  const ours = new Container(manifest).files!
  const findings = new Findings(ruleSettings({}).maxDiagnostics)
  const report = (path: string, detail: string) =>
    findings.add(CONTAINER_REBUILD, 'error', '', `${quoted(path)} ${detail}`)
  for (const name of ['name', 'version', 'developer'])
    if (member(objectOf(container.value), name) !== member(objectOf(manifest.value), name))
      report(MANIFEST, `has another ${name} than the source`)
  for (const path of [...new Set([...(theirs?.keys() ?? []), ...ours.keys()])].sort()) {
    if (path === MANIFEST || path === SIGNATURE) continue
    const [their, our] = [theirs?.get(path), ours.get(path)]
    if (their === undefined) report(path, 'is only in the source')
    else if (our === undefined) report(path, 'is only in the container')
    else if (!sameBytes(their, our)) report(path, 'is not what the source gives')
  }
  return findings.diagnostics(container, [])
}

/** Compares a verified container with a build of the folder that was given: the entries in which they differ. */
export const CONTAINER_COMPARING: Comparing = async (container, _, given) => {
  const folder = folderIn(given, 'source')
  if (folder === undefined) return []
  const loaded = await loadWhole(folder)
  const [secret, index] = [textIn(given, 'secret'), await indexIn(given, folder)]
  const prompt = loaded.folder?.paths.find(isEncrypted)
  if (secret === undefined && prompt !== undefined)
    throw new NeedError('secret', `verify --source needs it: ${prompt} is encrypted in a container`, {
      code: 'missing-secret',
      hint: MAKE_SECRET,
    })
  const options = { ...(secret !== undefined && { secret }), ...(index !== undefined && { index }) }
  const found = await compareWithSource(container, loaded, options)
  return found.filter(({ severity }) => severity === 'error')
}

/** The index that was given, otherwise the one next to agent.yaml, if there is one. */
async function indexIn(given: NeedValues, folder: GivenFolder): Promise<JsonObject | undefined> {
  const own = folder.files.has(INDEX_FILE) ? await folder.bytesOf(INDEX_FILE) : undefined
  const { file, bytes } = fileIn(given, 'index') ?? { file: INDEX_FILE, bytes: own }
  if (bytes === undefined) return undefined
  const { document, diagnostics } = parse(bytes, { file })
  if (isObject(document?.value)) return document.value
  const hint = 'as in {"tools": {"web_search": {"1.0.0": {}}}, "models": {}}'
  const found = document === undefined ? { file, diagnostics } : undefined
  const message = `${file}: expected an object, found ${shown(document?.value)}`
  throw new NeedError('index', message, { code: 'invalid-value', hint, ...(found && { found }) })
}

/** True for a source file that a container encrypts. */
export const isEncrypted = (path: string): boolean => storedPath(path) !== path

/** The files of an opened container as their folder had them: agent.lock has plain digests of the prompts again. */
export function folderFiles(files: Files): Files {
  const { folder } = load(files)
  const document = folder?.lock?.parsed.document
  if (folder === undefined || document === undefined) return files
  const entries = new Map([...files.keys()].filter(isEncrypted).map((path) => [path, hashOfBytes(files.get(path)!)]))
  return new Map(files).set(LOCK_FILE, lockBytes(withEntries(objectOf(document.value), subAgentParts(folder), entries)))
}

const lockBytes = (lock: JsonObject) => new TextEncoder().encode(writeLock(lock))
const hasErrors = (found: readonly Diagnostic[]) => found.some(({ severity }) => severity === 'error')
const filesAt = ({ files }: AgentFolder, paths: readonly string[]): Files =>
  new Map(paths.map((path) => [path, files.get(path)!]))

function checked(
  agent: Agent,
  folder: AgentFolder,
  before: readonly Diagnostic[],
  { quality }: buildContainer.Options,
) {
  const { diagnostics } = check(AGENTLANG, { document: agent.document, diagnostics: before }, ruleSettings({}))
  if (quality !== true) return diagnostics
  const prompts = new Set(folder.prompts.map(({ path }) => fileNameOf(agent, path)))
  const strict = ruleSettings({ ruleset: 'strict' })
  return [
    ...diagnostics.filter(({ source: { file = '' } }) => !prompts.has(file)),
    ...folder.prompts.flatMap(({ parsed }) => check(PROMPT, parsed, strict).diagnostics),
  ]
}

/** Locks an agent whose lockfile has no errors. */
function lockChecked(
  agent: Agent,
  folder: AgentFolder,
  { index, frozen = false, resolvedAt, epoch, now, mcp = {} }: lockAgent.Options,
  before: readonly Diagnostic[],
): lockAgent.Result {
  const previous = folder.lock?.parsed.document
  const models = Object.keys(agent.part('models')?.value ?? {})
  const { lock, faults } = makeLock({
    agent: agent.root.value,
    files: filesAt(folder, folder.paths),
    agents: subAgentParts(folder),
    index: index ?? lockedIndex(objectOf(previous?.value), models),
    previous: previous?.value,
    mcp,
    ...(epoch !== undefined && { epoch }),
    ...(now !== undefined && { now }),
  })
  const findings = new Findings(ruleSettings({}).maxDiagnostics)
  for (const { rule, pointer, detail } of faults)
    findings.add(rule, 'error', pointer, detail, index === undefined && GUIDED.has(rule) ? GIVE_INDEX : {})
  for (const [name, server] of Object.entries(mcp))
    for (const { rule, pointer, detail } of hiddenInServer(name, server)) findings.add(rule, 'warning', pointer, detail)
  const changes = lock === undefined ? [] : compareLocks(previous?.value ?? {}, lock)
  if (frozen && previous === undefined)
    findings.add(FROZEN_LOCK, 'error', '', `The folder has no ${LOCK_FILE}; blazon agent lock writes one`)
  else if (frozen)
    for (const { path, change } of changes)
      findings.add(FROZEN_LOCK, 'error', path, `${describePlace(path)} was ${change}`, { in: previous! })
  const diagnostics = findings.diagnostics(agent.document, before)
  if (lock === undefined || findings.hasErrors) return { lock: undefined, changes, diagnostics }
  return { lock: resolvedAt === undefined ? lock : { ...lock, resolved_at: resolvedAt }, changes, diagnostics }
}

const GUIDED: ReadonlySet<unknown> = new Set([UNKNOWN_TOOL, UNMATCHED_VERSION])
const GIVE_INDEX = { fix: { hint: 'give the index that describes it: --index tools.json' } }

/** A place of a lockfile for people: `files "prompt.yaml"`. */
function describePlace(pointer: string): string {
  const [section, ...names] = parsePointer(pointer)!
  return names.length === 0 ? section! : `${section} ${quoted(names.join(' '))}`
}

// The review of an agent's prompts, by a function of the caller: a model, a program, a person.

export interface ReviewRequest {
  readonly name: string
  readonly description?: string
  /** The prompts of the agent and its sub-agents, compiled to Markdown. */
  readonly prompts: readonly { readonly file: string; readonly role: string; readonly text: string }[]
}

export interface Review {
  /** From 0 to 1. */
  readonly score: number
  /** At most 50, each with at most 500 UTF-16 units. */
  readonly notes: readonly string[]
}

/** Answers `{ score, notes }`. Every other answer, and a rejection, fails the build. */
export type Reviewer = (request: ReviewRequest) => Promise<unknown>

const [MOST_NOTES, LONGEST_NOTE] = [50, 500]

function requestFor(agent: Agent, { prompts }: AgentFolder): ReviewRequest {
  const description = member(agent.root.value, 'description')
  const texts = prompts.flatMap(({ path, subject }) => {
    if (subject === undefined) return []
    const { role, text } = compile(subject, {})
    return [{ file: path, role, text }]
  })
  return { name: agent.name!, ...(isText(description) && { description }), prompts: texts }
}

/** Asks a reviewer if there are prompts; a text is the reason why there is no review. */
async function reviewOf(agent: Agent, folder: AgentFolder, reviewer: Reviewer): Promise<Review | string | undefined> {
  const request = requestFor(agent, folder)
  if (request.prompts.length === 0) return undefined
  try {
    const answer = objectOf(await reviewer(request))
    const [score, notes] = [member(answer, 'score'), member(answer, 'notes') ?? []]
    if (typeof score !== 'number' || !(score >= 0 && score <= 1)) return 'the answer has no score from 0 to 1'
    if (!Array.isArray(notes) || !notes.every(isText)) return 'the notes of the answer are not a list of texts'
    return { score, notes: notes.slice(0, MOST_NOTES).map((note) => cut(note, LONGEST_NOTE)) }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
