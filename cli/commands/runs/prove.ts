import { parse } from '../../../bindings/document/parse.ts'
import { type Line, leafOf } from '../../../bindings/runs/stream/lines.ts'
import { notesIn, readCheckpoint, writeNote } from '../../../bindings/runs/stream/note.ts'
import { writeProof } from '../../../bindings/runs/stream/proof-file.ts'
import { Leaves } from '../../../bindings/runs/stream/tree.ts'
import { sameBytes } from '../../../bindings/text/bytes.ts'
import { defineCommand } from '../../command.ts'
import { documentLines } from '../../document-lines.ts'
import { EXIT } from '../../exit.ts'
import { answer } from '../../outcome.ts'
import { bytesIfThere, nextTo } from '../../runs/stream-files.ts'
import { saveOrPrint } from '../../save.ts'
import { UsageError } from '../../usage.ts'

/** `blazon runs prove`: writes the proof that one line is in a stream. */
export const command = defineCommand({
  usage: 'STREAM --step N [--out FILE]',
  details: [
    'Writes the line of step N, and the proof that it is in the stream (a .tlog-proof',
    'of C2SP), so that somebody can check it without the other lines. With --out, the',
    'proof goes to that file and the line to stdout.',
  ],
  options: {
    step: { value: 'N', number: true, about: 'the index of the step' },
    line: { value: 'N', number: true, about: 'the line of the file instead, counted from 1' },
    out: { value: 'FILE', about: 'write the proof to this file' },
  },
  examples: ['blazon runs prove run.ndjson --step 3 --out step-3.tlog-proof'],
  async run(context) {
    const { options, positionals, reader, print } = context
    const name = reader.file(positionals, 'blazon runs prove takes one stream')
    const { step, line: number } = options
    if ((step === undefined) === (number === undefined))
      throw new UsageError('missing-argument', 'runs prove: expected --step or --line', 'as in --step 3')
    const leaves = new Leaves()
    let chosen: { readonly index: number; readonly bytes: Uint8Array } | undefined
    for await (const { bytes = new Uint8Array(), number: at } of documentLines(reader, name, { isRaw: true })) {
      if (number === undefined ? indexOf(bytes) === step : at === number) chosen ??= { index: at - 1, bytes }
      leaves.append(leafOf(bytes))
    }
    const note = notesIn((await bytesIfThere(context, nextTo(name, 'checkpoints'))) ?? new Uint8Array()).at(-1)
    const head = note && readCheckpoint(note.text)
    const refusal = (reason: string) => ({ results: [answer({})], exit: EXIT.findings, reason, notes: [reason] })
    if (chosen === undefined) return refusal(`${name} has no such ${step === undefined ? 'line' : 'step'}`)
    if (
      note === undefined ||
      head === undefined ||
      head.size > leaves.size ||
      !sameBytes(leaves.root(0, head.size), head.root)
    )
      return refusal(`the last checkpoint is not of ${name}`)
    if (chosen.index >= head.size) return refusal('no checkpoint covers the line')
    const hashes = leaves.inclusionProof(chosen.index, head.size)
    const proof = writeProof({ index: chosen.index, hashes, checkpoint: writeNote(note) })
    print(chosen.bytes, '\n')
    await saveOrPrint(options.out, proof, context)
    return { results: [answer({ proven: { line: chosen.index, of: head.size } })] }
  },
})

/** The index of the step in a line of type step. */
function indexOf(bytes: Uint8Array): number | undefined {
  const { type, step } = (parse(bytes).document?.value ?? {}) as Partial<Line>
  return type === 'step' ? (step as { readonly index?: number } | undefined)?.index : undefined
}
