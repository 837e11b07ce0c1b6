import { type RedactionMode, redactRun } from '../../../bindings/runs/redaction.ts'
import { defineCommand } from '../../command.ts'
import { PRIVATE_FILE } from '../../keys.ts'
import { counted } from '../../report/words.ts'
import { isStreamName, redactStream } from '../../runs/stream-files.ts'
import { save, saveOrPrint, textFile } from '../../save.ts'
import { given, UsageError } from '../../usage.ts'

const MODES = ['remove', 'mask', 'digest'] as const satisfies readonly RedactionMode[]

/** `blazon runs redact`: takes sensitive content out of a run record. */
export const command = defineCommand({
  usage: '[FILE|STREAM|-] [--pointer POINTER]... [--mode MODE]',
  details: [
    'Takes out inputs, outputs and the description of the task (ADP-1 section 7.2),',
    'and texts that look like credentials. With --pointer, what these name instead;',
    '* stands for each element. Everything else stays byte for byte, and the record',
    'lists what went. For a stream *.ndjson, removes values from RUN.salts, to',
    'which the stream only commits. It still verifies.',
  ],
  options: {
    pointer: { value: 'POINTER', many: true, about: 'what to take out, as in /steps/*/observation/output' },
    mode: { value: 'MODE', choices: MODES, about: 'remove (default), mask, or digest: a salted digest stays' },
    'keep-secrets': { about: 'keep texts that look like credentials' },
    keep: { value: 'POINTER', many: true, about: 'for streams: keep only the values at these places' },
    salts: { value: 'FILE', about: 'with --mode digest: write the salts to this file' },
    out: { value: 'FILE', about: 'write the record to this file' },
  },
  examples: [
    'blazon runs redact run.json --out public.json',
    'blazon runs redact run.json --pointer /context/user_id --mode mask',
    'blazon runs redact run.ndjson --keep /steps/3/action/input --out shown.salts',
  ],
  async run(context) {
    const { options, positionals, reader, host } = context
    const { pointer, mode, salts: saltsFile, out, keep } = options
    const name = reader.file(positionals, 'blazon runs redact takes one record or stream')
    if (isStreamName(name)) return redactStream(name, options, context)
    if (keep.length > 0) throw new UsageError('wrong-arguments', '--keep is for streams', 'name a file *.ndjson')
    const { file, document, diagnostics: read } = await reader.document(name, { only: ['run'] })
    const policy = { ...given({ mode }), ...(pointer.length > 0 && { pointers: pointer }) }
    const { bytes, diagnostics, removed, salts } = redacted(() =>
      redactRun(document, { ...policy, secrets: !options['keep-secrets'], file }),
    )
    const result = {
      file,
      kind: 'run',
      valid: bytes !== undefined,
      diagnostics: [...read, ...diagnostics],
      redacted: removed,
    }
    if (bytes === undefined) return { results: [result] }
    if (saltsFile !== undefined) await save(host, saltsFile, `${JSON.stringify(salts, null, 2)}\n`, PRIVATE_FILE)
    await saveOrPrint(out, textFile(bytes), context, given({ over: out }))
    return { results: [result], notes: removed.map(({ pointer: place, mode: how, count }) => note(place, how, count)) }
  },
})

/** A pointer that cannot be taken out is a usage error. */
function redacted<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError('invalid-value', `--pointer: ${error.message}`, 'as in --pointer /context/user_id')
  }
}

function note(pointer: string, mode: string, count: number): string {
  return mode === 'secret'
    ? `${counted(count, 'credential')} replaced by stars`
    : `${pointer}: ${counted(count, 'value')}, ${mode}`
}
