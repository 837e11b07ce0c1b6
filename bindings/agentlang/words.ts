// What the kinds of AgentLang share: words, unknown keys, and texts that a model reads.
import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { type ShapeSchema, shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { type Reading, type Report, type RootSubject, type Rule, severityOf } from '../frame/subject.ts'
import { replaceHidden } from '../text/hidden.ts'
import { escapeToken, type PlacedValue } from '../text/members.ts'
import { REVOKE_SECRET, searchSecrets } from '../text/secret-shapes.ts'
import { counted, quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import schema from './schema.json' with { type: 'json' }

const { allowed_paths: PATHS, allowed_urls: URLS } = schema.$defs.constraints.properties.sandbox.properties

const WORDS: Words = {
  name: 'AgentLang',
  rules: shapeRules([
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.ENUM_VALUE,
    FINDINGS.VALUE_PATTERN,
    FINDINGS.NUMBER_RANGE,
    FINDINGS.PROMPT_VERSION,
    FINDINGS.SECTION_NAME,
    FINDINGS.SKILL_NAME,
  ]),
  byFormat: {},
  grammar: {
    uri: 'an absolute URI',
    'prompt-version': '2',
    '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$':
      'a name of at most 64 letters, digits, ., _ and -, which begins with a letter or digit and does not end with .',
    '^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$':
      'a semantic version such as 1.2.0',
    '^(?:GET|HEAD|POST|PUT|PATCH|DELETE|get|head|post|put|patch|delete)$': 'GET, HEAD, POST, PUT, PATCH or DELETE',
    [PATHS.items.pattern]: 'a path below the folder of the run, with / between its names',
    [URLS.items.pattern]: 'an HTTP URL without a query, such as https://*.example.com',
    '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$': 'a tag name: a letter or _, then letters, digits, _, - and .',
    '^[a-z0-9]+(?:-[a-z0-9]+)*$': 'small letters and digits with single dashes between them',
  },
  // `twitter_token: true` asks for the OAuth token of that provider.
  isExtension: (name) => name.startsWith('x-') || name.endsWith('_token'),
  adviseOn: () => ({ hint: 'keys of your own begin with x-' }),
}

/** The specification of a kind with one schema. Keys that it does not define are reported. */
export function specificationOf<Subject extends RootSubject>(
  reading: Reading<Subject>,
  schema: ShapeSchema,
  rules: readonly Rule<Subject>[],
): Specification<Subject> {
  const shape = shapeOnce(schema)
  return {
    ...reading,
    words: WORDS,
    settings: ruleSettings,
    shapes: ({ root }) => [{ shape: shape(), value: root.value, pointer: '' }],
    listener: (_, findings, { ruleset, rules }) => ({
      undefinedMember(pointer, name, _place, remarks) {
        const severity = severityOf(FINDINGS.UNKNOWN_KEY, ruleset, rules)
        const detail = `${quoted(name)} is not a key of AgentLang here`
        findings.add(FINDINGS.UNKNOWN_KEY, severity, pointer, detail, remarks)
      },
    }),
    rules,
    names: FINDINGS.names,
  }
}

export const literalSecret: Rule<Pick<RootSubject, 'document'>> = {
  ...FINDINGS.LITERAL_SECRET,
  check({ document }, report) {
    searchSecrets(document.value, (pointer, what) => report(pointer, `It looks like ${what}`, { fix: REVOKE_SECRET }))
  },
}

/** Reports each name that stands a second time. */
export function reportTwice(names: readonly PlacedValue<string>[], what: string, report: Report): void {
  const first = new Map<string, string>()
  for (const { value, pointer } of names) {
    const before = first.get(value)
    if (before === undefined) first.set(value, pointer)
    else {
      const related = [{ pointer: before, message: 'the first one' }]
      report(pointer, `The ${what} ${quoted(value)} stands twice`, { related })
    }
  }
}

export const hiddenText: Rule<RootSubject> = {
  ...FINDINGS.HIDDEN_TEXT,
  check: ({ document }, report) => searchHidden(document.value, '', report),
}

/** Reports each text with characters that no screen shows, except line ends and tabs. */
function searchHidden(value: unknown, pointer: string, report: Report): void {
  if (typeof value === 'string') {
    const count = hiddenIn(value)
    if (count > 0) report(pointer, `The text has ${counted(count, 'hidden character')}`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) searchHidden(member, `${pointer}/${escapeToken(name)}`, report)
  }
}

/** The number of characters that no screen shows, except line ends and tabs. */
export function hiddenIn(text: string): number {
  let count = 0
  replaceHidden(text, (character) => {
    if (!/[\n\r\t]/.test(character)) count++
    return ''
  })
  return count
}
