// Members of open objects whose names are nearly those of the specification: other readers ignore them.
import type { FindingKind } from '../document/finding.ts'
import { renameMember } from '../document/fixes.ts'
import { elements, escapeToken, isObject, objectMember, type PlacedObject } from '../text/members.ts'
import { camelCase, quoted, suggest } from '../text/words.ts'
import type { Shape } from './shape.ts'
import type { RootSubject, Rule } from './subject.ts'

/** Each suggestion compares a name with all members. */
const MOST_COMPARED = 20

/** The rule that reports misspelled members of documents with `camelCase` names, where `shapeOf` gives a shape. */
export function misspelledRule<Subject extends RootSubject>(
  kind: FindingKind,
  shapeOf: (subject: Subject) => Shape | undefined,
): Rule<Subject> {
  return {
    ...kind,
    check(subject, report) {
      const { root, document } = subject
      checkNames(shapeOf(subject), root, (pointer, name, meant) => {
        report(pointer, `${quoted(name)} is not a known member here`, {
          atName: true,
          fix: () => renameMember(document, pointer, meant),
        })
      })
    },
  }
}

/** Finds names that are no members but resemble one that the object lacks. A required one has a finding of its own. */
function checkNames(
  shape: Shape | undefined,
  object: PlacedObject,
  tell: (pointer: string, name: string, meant: string) => void,
): void {
  if (shape?.members === undefined) return
  const { members, required } = shape
  const { pointer, value } = object
  const free = [...members.keys()].filter((name) => !Object.hasOwn(value, name) && !required.includes(name))
  const unknown = Object.keys(value).filter((name) => !members.has(name) && name.length <= 40)
  for (const name of unknown.slice(0, MOST_COMPARED)) {
    const meant = suggest(camelCase(name), free)
    if (meant !== undefined) tell(`${pointer}/${escapeToken(name)}`, name, meant)
  }
  for (const [name, inner] of members) {
    const member = objectMember(object, name)
    if (member !== undefined) checkNames(inner, member, tell)
    for (const element of elements(object, name, isObject)) checkNames(inner.items, element, tell)
  }
}
