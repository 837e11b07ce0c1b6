import { parse } from '../../../bindings/document/parse.ts'
import { type Line, leafOf } from '../../../bindings/runs/stream/lines.ts'
import { notesIn, writeNote } from '../../../bindings/runs/stream/note.ts'
import { writeProof } from '../../../bindings/runs/stream/proof-file.ts'
import { Frontier, Leaves } from '../../../bindings/runs/stream/tree.ts'
import { type SignedCheckpoint, signedCheckpoints, Trust } from '../../../bindings/runs/stream/trust.ts'
import { sameBytes } from '../../../bindings/text/bytes.ts'
import { defineCommand } from '../../command.ts'
import { readKeys, TRUSTED_KEYS } from '../../keys.ts'
import { answer } from '../../outcome.ts'
import { documentLines } from '../../reader.ts'
import { bytesIfThere, nextTo } from '../../runs/stream-files.ts'
import { saveOrPrint } from '../../save.ts'
import { EXIT, UsageError } from '../../usage.ts'

/** `blazon runs prove`: writes the proof that one line is in a stream. */
export const command = defineCommand({
  usage: 'STREAM --step N [--key KEY]... [--out FILE]',
  details: [
    'Writes the line of step N, and the proof that it is in the stream (a .tlog-proof',
    'of C2SP), so that somebody can check it without the other lines. With --out, the',
    'proof goes to that file and the line to stdout. The proof leads to the largest',
    'checkpoint that fits the lines, with --key to one that such a key signed.',
  ],
  options: {
    step: { value: 'N', number: true, about: 'the index of the step' },
    line: { value: 'N', number: true, about: 'the line of the file instead, counted from 1' },
    key: TRUSTED_KEYS,
    out: { value: 'FILE', about: 'write the proof to this file' },
  },
  examples: ['blazon runs prove run.ndjson --step 3 --out step-3.tlog-proof'],
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
      if (number === undefined ? indexOf(bytes) === step : at === number) chosen ??= { index: at - 1, bytes }
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
      return refusal(`no checkpoint ${options.key.length > 0 ? 'of a trusted key ' : ''}fits the lines of ${name}`)
    if (chosen.index >= head.size) return refusal('no checkpoint covers the line')
    const hashes = leaves.inclusionProof(chosen.index, head.size)
    const proof = writeProof({ index: chosen.index, hashes, checkpoint: writeNote(head.note) })
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
