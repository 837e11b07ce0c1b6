// Members of open objects whose names are nearly those of the specification: other readers ignore them.
import type { FindingKind } from '../document/finding.ts'
import { renameMember } from '../document/fixes.ts'
import type { Document } from '../document/parse.ts'
import { elements, escapeToken, isObject, objectMember, type PlacedObject } from '../text/members.ts'
import { camelCase, quoted, suggest } from '../text/words.ts'
import type { Shape } from './shape.ts'
import { type Report, type RootSubject, type Rule, rule } from './subject.ts'

/** Each suggestion compares a name with all members. */
const MOST_COMPARED = 20

/** The rule that reports misspelled members of documents with `camelCase` names, where `shapeOf` gives a shape. */
export const misspelledRule = <Subject extends RootSubject>(
  kind: FindingKind,
  shapeOf: (subject: Subject) => Shape | undefined,
): Rule<Subject> =>
  rule(kind, (subject, report) => checkNames(shapeOf(subject), subject.root, subject.document, report))

/** Finds names that are no members but resemble one that the object lacks. A required one has a finding of its own. */
function checkNames(shape: Shape | undefined, object: PlacedObject, document: Document, report: Report): void {
  if (shape?.members === undefined) return
  const { members, required } = shape
  const { pointer, value } = object
  const free = [...members.keys()].filter((name) => !Object.hasOwn(value, name) && !required.includes(name))
  const unknown = Object.keys(value).filter((name) => !members.has(name))
  for (const name of unknown.slice(0, MOST_COMPARED)) {
    const meant = suggest(camelCase(name), free)
    if (meant === undefined) continue
    const at = `${pointer}/${escapeToken(name)}`
    report(at, `${quoted(name)} is unknown here`, { atName: true, fix: () => renameMember(document, at, meant) })
  }
  for (const [name, inner] of members) {
    const member = objectMember(object, name)
    if (member !== undefined) checkNames(inner, member, document, report)
    for (const element of elements(object, name, isObject)) checkNames(inner.items, element, document, report)
  }
}
