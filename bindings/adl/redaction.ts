// Finds the values that must not be logged, in a parsed definition. It loads no reader.
import type { Document } from '../document/parse.ts'
import { ARRAY, OBJECT, STRING, type Tape } from '../document/tape.ts'
import { escapeToken } from '../text/members.ts'
import { snakeCase, suggest } from '../text/words.ts'

export interface RedactOptions {
  /** `provider.contact`. Default true, like the others. */
  readonly contacts?: boolean
  /** `metadata.authors`. */
  readonly authors?: boolean
  /** `system_prompt` and the templates of `prompts`. */
  readonly prompts?: boolean
}

/** A value that must not be logged. */
export interface SecretValue {
  readonly pointer: string
  /** Its entry on the document's tape. */
  readonly entry: number
}

/** Longer names are not misspellings of these. */
const LONGEST = 40

/**
 * The values that must not be logged, in the order of the options. They belong to the definition that the document is,
 * or to definitions at other places in it. Misspelt members count as well.
 */
export function secretValues(
  { tape }: Document,
  { contacts = true, authors = true, prompts = true }: RedactOptions = {},
  root: readonly SecretValue[] = [{ pointer: '', entry: 0 }],
): readonly SecretValue[] {
  const found: SecretValue[] = []
  if (contacts) for (const one of membersNamed(tape, membersNamed(tape, root, 'provider'), 'contact')) found.push(one)
  if (authors) for (const one of membersNamed(tape, membersNamed(tape, root, 'metadata'), 'authors')) found.push(one)
  if (!prompts) return found
  for (const one of membersNamed(tape, root, 'system_prompt')) found.push(one)
  for (const list of membersNamed(tape, root, 'prompts')) {
    if (tape.kind(list.entry) !== ARRAY) found.push(list)
    else {
      const entries = elements(tape, list)
      for (const one of entries.filter(({ entry }) => tape.kind(entry) === STRING)) found.push(one)
      for (const one of membersNamed(tape, entries, 'template')) found.push(one)
    }
  }
  return found
}

const elements = (tape: Tape, { pointer, entry }: SecretValue): SecretValue[] =>
  tape.children(entry).map((child, i) => ({ pointer: `${pointer}/${i}`, entry: child }))

/** The members with that name, or a likely misspelling of it, in objects and in objects of lists. */
function membersNamed(tape: Tape, owners: readonly SecretValue[], wanted: string): SecretValue[] {
  return owners.flatMap((owner) => {
    const kind = tape.kind(owner.entry)
    if (kind === ARRAY) {
      const objects = elements(tape, owner).filter(({ entry }) => tape.kind(entry) === OBJECT)
      return membersNamed(tape, objects, wanted)
    }
    if (kind !== OBJECT) return []
    const names = tape.children(owner.entry).filter((entry) => isMeant(tape.text(entry), wanted))
    return names.map((name) => ({ pointer: `${owner.pointer}/${escapeToken(tape.text(name))}`, entry: name + 1 }))
  })
}

/** True for a name, and for a likely misspelling of it. */
export function isMeant(name: string, wanted: string): boolean {
  if (name === wanted) return true
  return name.length <= LONGEST && !name.startsWith('x_') && suggest(snakeCase(name), [wanted]) !== undefined
}
