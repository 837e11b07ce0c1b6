import { type PlacedObject, textMember } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import type { Report } from './rule.ts'

/** Reports each entry of a list that repeats an earlier entry's name. */
export function reportRepeated(kind: string, list: readonly PlacedObject[], report: Report): void {
  if (list.length < 2) return
  const seen = new Map<string, PlacedObject>()
  for (const entry of list) {
    const name = textMember(entry, 'name')
    if (name === undefined) continue
    const first = seen.get(name.value)
    if (first === undefined) {
      seen.set(name.value, entry)
      continue
    }
    const index = first.pointer.slice(first.pointer.lastIndexOf('/') + 1)
    const related = [{ pointer: `${first.pointer}/name`, message: `the first ${kind} with this name` }]
    report(
      name.pointer,
      `${kind[0]!.toUpperCase()}${kind.slice(1)} name ${quoted(name.value)} already defined at index ${index}`,
      { related },
    )
  }
}
