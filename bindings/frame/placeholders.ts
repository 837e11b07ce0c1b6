// Placeholder texts that templates use where only the document's author knows the value. Real documents do not contain
// these texts, so a rule can report each one that is left without false alarms.
import type { FindingKind } from '../document/finding.ts'
import { escapeToken, isObject, member, type PlacedObject } from '../text/members.ts'
import { nameAt } from '../text/words.ts'
import { type Report, type Rule, rule } from './subject.ts'

/** A host that cannot exist: its top-level domain is reserved (RFC 2606 section 2). */
export const YOUR_HOST = 'your-company.example'
/** The same host reversed, as MCP server names begin with it. */
export const YOUR_NAMESPACE = 'example.your-company'
export const YOUR_COMPANY = 'Your company'
export const YOUR_TEAM = 'Your team'
export const YOUR_SKILL = 'your-skill'
export const TOOL_DESCRIPTION = 'Says what this tool does, with what, and what comes out of it.'
export const SERVER_DESCRIPTION = 'Says in a sentence what this server does, and with what.'
export const YOUR_QUERY = 'A question that your agent answers'
export const YOUR_DEVELOPER = 'your-company'
export const TASK = 'Tell the agent here what to do and how to answer.'
export const PROMPT = `${TASK} You work for {{company}}.`

const DESCRIPTION = /^Says in a sentence or two what .{1,200} does, for whom, and what it does not do\.$/
const TEXTS = [
  YOUR_COMPANY,
  YOUR_TEAM,
  YOUR_SKILL,
  YOUR_DEVELOPER,
  TOOL_DESCRIPTION,
  SERVER_DESCRIPTION,
  YOUR_QUERY,
  TASK,
  PROMPT,
]
const AT_YOUR_HOST = /(?:^|[@/.:])your-company\.example(?:$|[/:])|^example\.your-company\//

/** The placeholder for an agent's description. */
export function descriptionOf(name: string): string {
  return `Says in a sentence or two what ${name} does, for whom, and what it does not do.`
}

/** True for a placeholder that the author has to replace. */
function isPlaceholder(text: string): boolean {
  return TEXTS.includes(text.trimEnd()) || AT_YOUR_HOST.test(text) || DESCRIPTION.test(text)
}

/**
 * A place where a template has a placeholder: the member names on its path, with `*` for each element, and what belongs
 * there.
 */
type PlaceholderPlace = readonly [path: readonly string[], what: string]

/** The rule that reports placeholders left in documents at these places. */
export function placeholderRule<Subject extends { readonly root: PlacedObject }>(
  kind: FindingKind,
  places: readonly PlaceholderPlace[],
): Rule<Subject> {
  return rule(kind, ({ root }, report) => {
    for (const [path, what] of places) look(root.value, path, '', what, report)
  })
}

function look(value: unknown, path: readonly string[], pointer: string, what: string, report: Report): void {
  const [name, ...rest] = path
  if (name === undefined) {
    if (typeof value !== 'string' || !isPlaceholder(value)) return
    const detail = `${nameAt(pointer)} is still the text of the template: write ${what} instead`
    report(pointer, detail, { fix: { hint: `write ${what}` } })
  } else if (name !== '*') {
    if (isObject(value)) look(member(value, name), rest, `${pointer}/${escapeToken(name)}`, what, report)
  } else if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) look(element, rest, `${pointer}/${i}`, what, report)
  }
}
