// Advice where the draft leaves a choice.
import { renameMember } from '../../document/fixes.ts'
import type { Report, Rule } from '../../frame/rule.ts'
import type { Shape } from '../../frame/shape.ts'
import type { PlacedObject } from '../../text/members.ts'
import { escapeToken } from '../../text/pointer.ts'
import { quoted, snakeCase } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { cardShape } from '../shape.ts'

export const hardToFind: Rule<Card> = {
  id: 'hard-to-find',
  code: 'CARD-139',
  title: 'Nothing to be found by',
  section: 'Agent Card 5',
  severity: 'info',
  rulesets: { spec: 'off' },
  why: 'Directories rank by skills and description: an agent that has neither comes last, or not at all.',
  bad: '{"id": "agent://scout", "name": "Scout"}',
  good: '{"id": "agent://scout", "name": "Scout", "description": "Translates between Chinese and English."}',
  check({ root }, report) {
    if (Object.hasOwn(root.value, 'description') || Object.hasOwn(root.value, 'skills')) return
    report('', "The card has neither 'description' nor 'skills': nobody finds the agent by what it can do")
  },
}

export const memberSpelling: Rule<Card> = {
  id: 'member-spelling',
  code: 'CARD-141',
  title: 'Member in the spelling of another format',
  section: 'Agent Card 3.1',
  severity: 'info',
  rulesets: { spec: 'off' },
  why: 'Members that the draft does not define are ignored, so is one of its own under the name that MCP or A2A gives it.',
  bad: '{"tools": [{"name": "translate", "inputSchema": {"type": "object"}}]}',
  good: '{"tools": [{"name": "translate", "input_schema": {"type": "object"}}]}',
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
