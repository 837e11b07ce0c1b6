import { resolve } from 'node:path'
import { readRuns } from '../../../bindings/convert/run/convert-runs.ts'
import { parse } from '../../../bindings/document/parse.ts'
import { splitLines } from '../../../bindings/document/split-lines.ts'
import type { Diagnostic } from '../../../bindings/document/types.ts'
import { encodeBase64 } from '../../../bindings/keys/base64.ts'
import { importKey } from '../../../bindings/keys/import.ts'
import { isSameKey } from '../../../bindings/keys/key.ts'
import { redactRun } from '../../../bindings/runs/record/redact-run.ts'
import { type RedactionMode, SENSITIVE } from '../../../bindings/runs/record/redaction.ts'
import { type Line, leafOf } from '../../../bindings/runs/stream/lines.ts'
import { cosign, notesIn, writeNote } from '../../../bindings/runs/stream/note.ts'
import { writeProof } from '../../../bindings/runs/stream/proof-file.ts'
import { type RetainedStream, retainStream, seal } from '../../../bindings/runs/stream/seal.ts'
import { Frontier, Leaves, leafHash } from '../../../bindings/runs/stream/tree.ts'
import { type SignedCheckpoint, signedCheckpoints, Trust } from '../../../bindings/runs/stream/trust.ts'
import { joinBytes, sameBytes } from '../../../bindings/text/bytes.ts'
import {
  answer,
  compact,
  defineCommand,
  EXIT,
  orUnreadable,
  type Result,
  type Tools,
  Unreadable,
  UsageError,
} from '../../command.ts'
import type { Host } from '../../host.ts'
import { PRIVATE_FILE, PRIVATE_KEY, readKey, readKeys, signedWith, TRUSTED_KEYS } from '../../keys.ts'
import { bytesOf, documentLines } from '../../reader.ts'
import { counted, word } from '../../report/report.ts'
import { readCertificateFile } from '../../runs/certificate.ts'
import { bytesIfThere, isStreamName, nextTo, redactStream } from '../../runs/stream-files.ts'
import { save, saveOrPrint, textFile } from '../../save.ts'
import { ask, readServer } from '../../server.ts'

export const sealRecord = defineCommand({
  options: {
    key: { ...PRIVATE_KEY, needed: 'as in --key recorder.key' },
    out: { value: 'STREAM', about: 'the stream to write; its name ends with .ndjson' },
    domain: { value: 'DOMAIN', about: 'the domain of the recorder, for the name of the checkpoints' },
    commit: { about: 'only commit to what ADP-1 section 7.2 calls sensitive' },
    pointer: { value: 'POINTER', many: true, about: 'only commit to what this names, as in /steps/*/action/input' },
    certificate: { value: 'FILE', many: true, about: "the agent's certificate, then its issuers, for the stream" },
    witness: { value: 'URL', many: true, about: 'ask this witness (C2SP) to sign the last checkpoint' },
    every: { value: 'N', number: true, about: 'sign a checkpoint after every N lines as well' },
  },
  async run(context) {
    const { options, positionals, reader, host } = context
    const {
      file,
      document,
      diagnostics: read,
    } = await reader.document(reader.file(positionals, 'blazon runs seal takes one record'), { only: ['run'] })
    const { domain, every, pointer } = options
    if (every === 0) throw new UsageError('invalid-value', '--every: expected 1 or more, got 0', 'as in --every 100')
    const commit = pointer.length > 0 ? pointer : options.commit ? SENSITIVE : undefined
    const certificates = await Promise.all(
      options.certificate.map((name) => readCertificateFile('certificate', name, context)),
    )
    const chain = certificates.length > 0 ? certificates.map(({ bytes }) => encodeBase64(bytes)) : undefined
    const witnesses = options.witness.map((text) => readServer('witness', text, { mayHavePath: true }))
    const key = await readKey(options.key, context)
    const [leaf] = certificates
    if (leaf !== undefined && !isSameKey(await importKey(key), await importKey(leaf.spki)))
      throw new UsageError(
        'invalid-value',
        '--key: not the key of the certificate',
        'leave out --certificate, or name its key',
      )
    const sealed = await signedWith(seal(document, { key, file, ...compact({ domain, every, commit, chain }) }))
    const { stream, checkpoints, openings, diagnostics } = sealed
    const found = [...read, ...diagnostics]
    if (stream === undefined || checkpoints === undefined)
      return { results: [{ file, kind: 'run', valid: false, diagnostics: found }] }
    const { out = `${(document.value as { run_id: string }).run_id}.ndjson` } = options
    if (!isStreamName(out) || (/^[^/\\]*$/.test(out) && !/^[\w.-]+$/.test(out)))
      throw new UsageError(
        'invalid-value',
        `--out: expected a name that ends with .ndjson, got "${out}"`,
        'as in --out run.ndjson',
      )
    await save(host, out, stream, { create: true })
    const cosigned = await cosignedBy(witnesses, stream, checkpoints, host)
    await save(host, nextTo(out, 'checkpoints'), cosigned.checkpoints, { create: true })
    if (openings !== undefined) await save(host, nextTo(out, 'salts'), openings, PRIVATE_FILE)
    const files = [out, nextTo(out, 'checkpoints'), ...(openings === undefined ? [] : [nextTo(out, 'salts')])]
    const notes = [...files.map((name) => `wrote ${name}`), ...cosigned.problems, ...countNote(found, file)]
    const failed = cosigned.problems.length > 0 && { exit: EXIT.unreadable }
    return { results: [{ file, kind: 'run', valid: true, diagnostics: [] }, answer({ files })], notes, ...failed }
  },
})

/** Instead of the findings that `validate` shows, which are about the source. */
const countNote = ({ length }: readonly Diagnostic[], file: string): readonly string[] =>
  length === 0 ? [] : [`the record has ${counted(length, 'finding')}: blazon validate ${word(file)} shows them`]

/** The checkpoints, the last one with the signatures of witnesses, and why any are missing. */
async function cosignedBy(witnesses: readonly URL[], stream: Uint8Array, checkpoints: Uint8Array, host: Host) {
  const leaves = new Leaves()
  for await (const { bytes } of splitLines(witnesses.length > 0 ? [stream] : [], { isRaw: true }))
    leaves.append(leafHash(bytes!))
  const last = writeNote(notesIn(checkpoints).at(-1)!)
  let note = last
  const problems: string[] = []
  for (const { href } of witnesses) {
    const send = (body: string) => ask(host, `${href.replace(/\/$/, '')}/add-checkpoint`, { method: 'POST', body })
    const answered = await cosign(note, leaves, send)
    if ('note' in answered) note = answered.note
    else problems.push(`${href} did not sign: ${answered.problem}`)
  }
  return { checkpoints: joinBytes([checkpoints.subarray(0, -last.length), note]), problems }
}

export const prove = defineCommand({
  options: {
    step: { value: 'N', number: true, about: 'the index of the step' },
    line: { value: 'N', number: true, about: 'the line of the file instead, counted from 1' },
    key: TRUSTED_KEYS,
    out: { value: 'FILE', about: 'write the proof to this file' },
  },
  async run(context) {
    const { options, positionals, reader, print } = context
    const name = reader.file(positionals, 'blazon runs prove takes one stream')
    const { step, line: number } = options
    if ((step === undefined) === (number === undefined))
      throw new UsageError('missing-argument', 'runs prove: expected --step or --line', 'as in --step 3')
    const trust = await Trust.of({ keys: await readKeys(options.key, context) })
    const notes = notesIn((await bytesIfThere(context, nextTo(name, 'checkpoints'))) ?? new Uint8Array())
    const left = signedCheckpoints(notes).toSorted((a, b) => b.size - a.size)
    const fitting: SignedCheckpoint[] = []
    const [leaves, tree] = [new Leaves(), new Frontier()]
    let chosen: { readonly index: number; readonly bytes: Uint8Array } | undefined
    for await (const { bytes = new Uint8Array(), number: at } of documentLines(reader, name, { isRaw: true })) {
      if (number === undefined ? stepIndex(bytes) === step : at === number) chosen ??= { index: at - 1, bytes }
      const leaf = leafOf(bytes)
      leaves.append(leaf)
      tree.append(leaf)
      while (left.length > 0 && left.at(-1)!.size <= tree.size) {
        const one = left.pop()!
        if (one.size === tree.size && sameBytes(tree.root, one.root)) fitting.push(one)
      }
    }
    // The order of the notes says nothing: the largest one that fits the lines covers most.
    let head: SignedCheckpoint | undefined
    for (const one of fitting.reverse())
      if (head === undefined && (options.key.length === 0 || (await trust.endorsement(one)) !== undefined)) head = one
    const refusal = (reason: string) => ({ results: [answer({})], exit: EXIT.findings, reason, notes: [reason] })
    if (chosen === undefined) return refusal(`${name} has no such ${step === undefined ? 'line' : 'step'}`)
    if (head === undefined)
      return refusal(
        `no checkpoint ${options.key.length > 0 ? 'of a trusted key ' : ''}fits the lines of ${name}: a hook with --signer writes one when the run ends`,
      )
    if (chosen.index >= head.size) return refusal('no checkpoint covers the line')
    const hashes = leaves.inclusionProof(chosen.index, head.size)
    const proof = writeProof({ index: chosen.index, hashes, checkpoint: writeNote(head.note) })
    print(chosen.bytes, '\n')
    await saveOrPrint(options.out, proof, context)
    return { results: [answer({ proven: { line: chosen.index, of: head.size } })] }
  },
})

/** The index of the step in a line of type step. */
function stepIndex(bytes: Uint8Array): number | undefined {
  const { type, step } = (parse(bytes).document?.value ?? {}) as Partial<Line>
  return type === 'step' ? (step as { readonly index?: number } | undefined)?.index : undefined
}

const MODES = ['remove', 'mask', 'digest'] as const satisfies readonly RedactionMode[]

export const redact = defineCommand({
  options: {
    pointer: { value: 'POINTER', many: true, about: 'what to take out, as in /steps/*/observation/output' },
    mode: { value: 'MODE', choices: MODES, about: 'remove (default), mask, or digest: a salted digest stays' },
    'keep-secrets': { about: 'keep texts that look like credentials' },
    keep: { value: 'POINTER', many: true, about: 'for streams: keep only the values at these places' },
    salts: { value: 'FILE', about: 'with --mode digest: write the salts to this file' },
    out: { value: 'FILE', about: 'write the record to this file' },
  },
  async run(context) {
    const { options, positionals, reader, host } = context
    const { pointer, mode, salts: saltsFile, out, keep } = options
    const name = reader.file(positionals, 'blazon runs redact takes one record or stream')
    if (isStreamName(name) && (await bytesIfThere(context, nextTo(name, 'salts'))) !== undefined)
      return redactStream(name, options, context)
    if (keep.length > 0)
      throw new UsageError('wrong-arguments', '--keep is for streams with a file *.salts', 'name one of these')
    const {
      file,
      document,
      diagnostics: read,
    } = isStreamName(name) ? await recordOfStream(name, context) : await reader.document(name, { only: ['run'] })
    const policy = { ...compact({ mode }), ...(pointer.length > 0 && { pointers: pointer }) }
    const { bytes, diagnostics, removed, salts } = orPointerError(() =>
      redactRun(document, { ...policy, secrets: !options['keep-secrets'], file }),
    )
    const found = [...read, ...diagnostics]
    const result = { file, kind: 'run', redacted: removed }
    if (bytes === undefined) return { results: [{ ...result, valid: false, diagnostics: found }] }
    if (saltsFile !== undefined) await save(host, saltsFile, `${JSON.stringify(salts, null, 2)}\n`, PRIVATE_FILE)
    await saveOrPrint(out, textFile(bytes), context, compact({ over: out }))
    const notes = removed.map(({ pointer: place, mode: how, count }) => note(place, how, count))
    if (isStreamName(name)) notes.push(`this is a record: the signatures of ${file} do not cover it`)
    return { results: [{ ...result, valid: true, diagnostics: [] }], notes: [...notes, ...countNote(found, file)] }
  },
})

/** The record that the lines of a stream make, also of a run that goes on; undefined for other bytes. */
export const recordIn = (bytes: Uint8Array, file: string) => readRuns(bytes, { file }).runs[0]

/** The record that the lines of a stream make: a stream that commits to nothing has its content in its lines. */
async function recordOfStream(name: string, { reader }: Tools) {
  const { file, bytes } = await reader.bytes(name)
  const { from, runs, diagnostics } = readRuns(bytes, { file })
  if (from !== 'run') throw new Unreadable({ file, diagnostics }, EXIT.findings)
  return { file, document: runs[0]!, diagnostics }
}

/** A pointer that cannot be taken out is a usage error. */
function orPointerError<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError('invalid-value', `--pointer: ${error.message}`, 'as in --pointer /context/user_id')
  }
}

const note = (pointer: string, mode: string, count: number): string =>
  mode === 'secret'
    ? `${counted(count, 'credential')} replaced by stars`
    : `${pointer}: ${counted(count, 'value')}, ${mode}`

const DAY_MS = 24 * 60 * 60_000

export const retain = defineCommand({
  options: {
    older: { value: 'DAYS', number: true, needed: 'as in --older 90', about: 'how long content is kept' },
    hold: { value: 'RUN_ID', many: true, about: 'keep the content of this run' },
  },
  async run(context) {
    const { options, positionals, say } = context
    const names = (await Promise.all(positionals.map((name) => streamsIn(name, context)))).flat()
    if (names.length === 0)
      throw new UsageError(
        'missing-argument',
        'runs retain: expected a stream *.ndjson, or a folder with some',
        'as in blazon runs retain records/ --older 90',
      )
    const before = Date.now() - Number(options.older) * DAY_MS
    const results: Result[] = []
    for (const name of names) {
      const read = await orUnreadable(retainStream(bytesOf(context.reader, name), name))
      if (read instanceof Unreadable) {
        results.push(read.result)
        continue
      }
      const state = stateOf(read, before, options.hold)
      if (state === 'removed') await removeContent(name, read, context)
      say(`${name}: ${state === 'removed' ? `content of ${counted(read.removed, 'line')} removed` : state}`)
      results.push(resultOf(name, read, state))
    }
    return { results }
  },
})

type State = 'removed' | 'held' | 'too young' | 'not ended' | 'not valid'

function stateOf({ runId, endedAt, diagnostics }: RetainedStream, before: number, held: readonly string[]): State {
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'not valid'
  if (held.includes(runId)) return 'held'
  if (endedAt === undefined) return 'not ended'
  return endedAt < before ? 'removed' : 'too young'
}

function resultOf(file: string, { removed, diagnostics }: RetainedStream, state: State): Result {
  const valid = state !== 'not valid'
  const retained = { state, lines: state === 'removed' ? removed : 0 }
  return { file, kind: 'stream', valid, diagnostics: valid ? [] : diagnostics, retained }
}

async function streamsIn(name: string, { host }: Tools): Promise<readonly string[]> {
  const entries = await host.list(resolve(host.cwd, name)).catch(() => undefined)
  if (entries === undefined) return isStreamName(name) ? [name] : []
  const files = entries.filter(({ kind, name: file }) => kind === 'file' && isStreamName(file))
  return files.map(({ name: file }) => `${name.replace(/[/\\]$/, '')}/${file}`)
}

/** Values first: if this stops in between, the next time does the rest. */
async function removeContent(name: string, { removed, stream }: RetainedStream, tools: Tools): Promise<void> {
  const salts = nextTo(name, 'salts')
  const values = await bytesIfThere(tools, salts)
  if (values !== undefined && values.length > 0) await save(tools.host, salts, '', { over: salts })
  if (removed > 0) await save(tools.host, name, stream, { over: name })
}
