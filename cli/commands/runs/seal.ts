import { splitLines } from '../../../bindings/document/split-lines.ts'
import { encodeBase64 } from '../../../bindings/keys/base64.ts'
import { importKey } from '../../../bindings/keys/import.ts'
import { isSameKey } from '../../../bindings/keys/key.ts'
import { SENSITIVE } from '../../../bindings/runs/redaction.ts'
import { cosign, notesIn, writeNote } from '../../../bindings/runs/stream/note.ts'
import { seal } from '../../../bindings/runs/stream/seal.ts'
import { Leaves, leafHash } from '../../../bindings/runs/stream/tree.ts'
import { joinBytes } from '../../../bindings/text/bytes.ts'
import { defineCommand } from '../../command.ts'
import type { Host } from '../../host.ts'
import { PRIVATE_FILE, PRIVATE_KEY, readKey, signedWith } from '../../keys.ts'
import { ask, readServer } from '../../net/server.ts'
import { answer } from '../../outcome.ts'
import { readCertificateFile } from '../../runs/certificate.ts'
import { isStreamName, nextTo } from '../../runs/stream-files.ts'
import { save } from '../../save.ts'
import { EXIT, given, UsageError } from '../../usage.ts'

/** `blazon runs seal`: makes a signed stream of a finished record. */
export const command = defineCommand({
  usage: '[FILE|-] --key KEY [--out STREAM] [--commit]',
  details: [
    'Writes the lines of the record to RUN_ID.ndjson, signed checkpoints next to it,',
    'and with --commit the sensitive values to a third file. There, each value can be',
    'removed later, and the stream still verifies. Keys: Ed25519, or the P-256 key of',
    "the agent's certificate.",
  ],
  options: {
    key: { ...PRIVATE_KEY, needed: 'as in --key recorder.key' },
    out: { value: 'STREAM', about: 'the stream to write; its name ends with .ndjson' },
    domain: { value: 'DOMAIN', about: 'the domain of the recorder, for the name of the checkpoints' },
    commit: { about: 'only commit to what ADP-1 section 7.2 calls sensitive' },
    pointer: { value: 'POINTER', many: true, about: 'only commit to what this names, as in /steps/*/action/input' },
    certificate: {
      value: 'FILE',
      many: true,
      about: "the agent's certificate, then its issuers, for the stream",
    },
    witness: { value: 'URL', many: true, about: 'ask this witness (C2SP) to sign the last checkpoint' },
    every: { value: 'N', number: true, about: 'sign a checkpoint after every N lines as well' },
  },
  examples: [
    'blazon runs seal run.json --key recorder.key',
    'blazon runs seal run.json --key agent.key --commit --every 100',
  ],
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
    const sealed = await signedWith(seal(document, { key, file, ...given({ domain, every, commit, chain }) }))
    const { stream, checkpoints, openings, diagnostics } = sealed
    const result = { file, kind: 'run', valid: stream !== undefined, diagnostics: [...read, ...diagnostics] }
    if (stream === undefined || checkpoints === undefined) return { results: [result] }
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
    const notes = [...files.map((name) => `wrote ${name}`), ...cosigned.problems]
    const failed = cosigned.problems.length > 0 && { exit: EXIT.unreadable }
    return { results: [result, answer({ files })], notes, ...failed }
  },
})

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
