// Definitions (or metadata) whose files have the same name go to the same place on the server: one of them is sent.
import { SIGNATURE } from '../../bindings/adl/signature/signed.ts'
import { PROOF } from '../../bindings/wellknown/signing.ts'
import { PUBLISH_LEFT_OUT } from '../findings.ts'
import type { Input } from '../inputs/expand.ts'
import { isReadable, type Readable, type Reader, type ReadResult } from '../reader.ts'
import { type NamedKind, nameOf } from './named.ts'
import { type PublishResult, refused } from './target.ts'

/** Where each kind has its signature. */
const SIGNATURES: Readonly<Record<NamedKind, string>> = { adl: SIGNATURE, wellknown: PROOF }

/** Returns the kind of a document that is published under the name of its file; undefined for others. */
export type AsNamed = (read: ReadResult) => NamedKind | undefined

/** Reads the inputs. Yields documents that are published under the same name together. */
export async function* byName(
  inputs: readonly Input[],
  reader: Reader,
  asNamed: AsNamed,
): AsyncGenerator<readonly ReadResult[]> {
  const unread = new Map<string, number>()
  const count = (name: string) => unread.get(name) ?? 0
  for (const input of inputs) {
    const name = nameOf(reader.fileOf(input.name))
    unread.set(name, count(name) + 1)
  }
  const groups = new Map<string, ReadResult[]>()
  for await (const read of reader.documents(inputs)) {
    const name = nameOf(read.file)
    unread.set(name, count(name) - 1)
    const group = groups.get(name) ?? []
    if (asNamed(read) === undefined) yield [read]
    else group.push(read)
    if (count(name) > 0) groups.set(name, group)
    else {
      groups.delete(name)
      yield group
    }
  }
}

/**
 * Returns a result for each document of a name that is not sent. Per kind, one is sent: the only signed document, or
 * one of several with equal content. If that does not decide, none is sent.
 */
export function notSent(reads: readonly ReadResult[], asNamed: AsNamed): ReadonlyMap<ReadResult, PublishResult> {
  const kinds: readonly NamedKind[] = ['adl', 'wellknown']
  return new Map(
    kinds.flatMap((kind) =>
      notSentAs(
        kind,
        reads.filter(isReadable).filter((read) => asNamed(read) === kind),
      ),
    ),
  )
}

function notSentAs(kind: NamedKind, reads: readonly Readable[]): readonly (readonly [ReadResult, PublishResult])[] {
  const signed = reads.filter(({ document }) => document.range(SIGNATURES[kind]) !== undefined)
  const [chosen, ...equals] = signed.length > 0 ? signed : reads
  if (chosen !== undefined && equals.every((read) => isSame(read, chosen)))
    return reads
      .filter((read) => read !== chosen)
      .map((read) => {
        const detail = `${chosen.file} ${isSame(read, chosen) ? 'has the same content' : 'is signed'} and goes to the same place`
        return [read, refused(read.document, read.file, kind, { detail, as: PUBLISH_LEFT_OUT })]
      })
  return reads.map((read) => {
    const other = reads[0] === read ? reads[1]! : reads[0]!
    const more = reads.length === 2 ? '' : ` and ${reads.length - 2} more`
    const detail = `${other.file}${more} would go to the same place`
    return [read, refused(read.document, read.file, kind, { detail, hint: GIVE_ONE })]
  })
}

const GIVE_ONE =
  'publish only one of them, or rename the others: the server uses the name of the file as the name of the agent'

function isSame({ document: a }: Readable, { document: b }: Readable): boolean {
  return Buffer.compare(a.canonical, b.canonical) === 0
}
