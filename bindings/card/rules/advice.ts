// Advice where the draft leaves a choice.
import { renameMember } from '../../document/fixes.ts'
import type { Report, Rule } from '../../frame/rule.ts'
import type { Shape } from '../../frame/shape.ts'
import type { PlacedObject } from '../../text/members.ts'
import { escapeToken } from '../../text/pointer.ts'
import { quoted, snakeCase } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { HARD_TO_FIND, MEMBER_SPELLING } from '../findings.ts'
import { cardShape } from '../shape.ts'

export const hardToFind: Rule<Card> = {
  ...HARD_TO_FIND,
  check({ root }, report) {
    if (Object.hasOwn(root.value, 'description') || Object.hasOwn(root.value, 'skills')) return
    report('', "The card has neither 'description' nor 'skills': nobody finds the agent by what it can do")
  },
}

export const memberSpelling: Rule<Card> = {
  ...MEMBER_SPELLING,
  check(card, report) {
    const { members } = cardShape()
    const rows: readonly (readonly [Shape | undefined, readonly (PlacedObject | undefined)[]])[] = [
      [cardShape(), [card.root]],
      [members?.get('tools')?.items, card.tools],
      [members?.get('endpoints')?.items, card.endpoints],
      [members?.get('constraints'), [card.constraints]],
      [members?.get('metadata'), [card.metadata]],
    ]
    for (const [shape, objects] of rows)
      for (const object of objects) if (object !== undefined) checkNames(card, object, shape!, report)
  },
}

function checkNames({ document }: Card, { pointer, value }: PlacedObject, { members }: Shape, report: Report): void {
  const taken = new Set(Object.keys(value))
  for (const name of Object.keys(value)) {
    if (members!.has(name) || !/[A-Z-]/.test(name)) continue
    const meant = snakeCase(name)
    if (!members!.has(meant) || taken.has(meant)) continue
    taken.add(meant)
    const at = `${pointer}/${escapeToken(name)}`
    const fix = () => renameMember(document, at, meant, `write '${meant}'`)
    report(at, `Member ${quoted(name)} is ignored: the draft has '${meant}'`, { atName: true, fix })
  }
}
