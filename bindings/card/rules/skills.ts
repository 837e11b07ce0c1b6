// Rules for skills, tools and constraints, and advice where the draft leaves a choice.

import { renameMember, replaceText } from '../../document/fixes.ts'
import { reportRepeated, reportSchema } from '../../frame/report-schema.ts'
import type { Shape } from '../../frame/shape.ts'
import type { Report, Rule } from '../../frame/subject.ts'
import { isLanguage } from '../../tables/index.ts'
import {
  elements,
  escapeToken,
  isText,
  member,
  type PlacedObject,
  type PlacedValue,
  textMember,
} from '../../text/members.ts'
import { quoted, snakeCase } from '../../text/words.ts'
import { utf8Length } from '../../wasm/utf8.ts'
import * as FINDINGS from '../findings.ts'
import { parseRateLimit } from '../limiter.ts'
import { type Card, cardShape } from '../subject.ts'
import { ALIASES, STANDARD_TAGS, suggestTag, TAG_CATEGORIES } from '../tags.ts'

/** A tag or one segment: lower-case ASCII with hyphens, and the characters of names such as c++ and node.js. */
const FORM = /^[a-z0-9+#.-]+$/

const CATEGORIES = TAG_CATEGORIES.map(({ name }) => name)
const WORDS: ReadonlySet<string> = new Set([...Object.values(STANDARD_TAGS).flat(), ...CATEGORIES, ...ALIASES.keys()])

const segmentsOf = ({ value }: PlacedValue<string>) => value.split('/')

/** True for a tag that no query matches: it has empty segments, or stars, which belong in queries. */
const isBroken = (tag: PlacedValue<string>) =>
  segmentsOf(tag).some((segment) => segment.trim() === '' || segment === '*')

export const skillPath: Rule<Card> = {
  ...FINDINGS.SKILL_PATH,
  check({ document, skills }, report) {
    for (const tag of skills) {
      if (!isBroken(tag)) continue
      const kept = segmentsOf(tag).filter((segment) => segment.trim() !== '' && segment !== '*')
      const fix = kept.length === 0 ? {} : { fix: () => replaceText(document, tag.pointer, kept.join('/')) }
      report(tag.pointer, `Tag ${quoted(tag.value)} has a segment that is empty or a star`, fix)
    }
  },
}

export const skillForm: Rule<Card> = {
  ...FINDINGS.SKILL_FORM,
  check({ document, skills }, report) {
    for (const tag of skills) {
      const segments = segmentsOf(tag)
      if (isBroken(tag) || segments.every((segment) => FORM.test(segment))) continue
      const meant = segments.map(hyphenated).join('/')
      const isRight = meant.split('/').every((segment) => FORM.test(segment))
      const fix = isRight ? { fix: () => replaceText(document, tag.pointer, meant) } : {}
      report(tag.pointer, `Tag ${quoted(tag.value)} is not in lower-case ASCII with hyphens`, fix)
    }
  },
}

/** JavaScript stays one word, MachineLearning becomes two. */
function hyphenated(segment: string): string {
  const lower = segment.trim().toLowerCase()
  return WORDS.has(lower) || lower.length > LONGEST ? lower : snakeCase(segment.trim()).replaceAll('_', '-')
}

/** Longer names stay as they are, because `snakeCase` would cut them. */
const LONGEST = 60

/** A limit, because suggesting compares with the whole vocabulary, which takes as long as all other rules together. */
const MOST_SUGGESTED = 100
const LONGEST_SUGGESTED = 100
const MOST_REMEMBERED = 1000

/** A cache: agents share most tags, so each tag is looked up once for many cards. */
const remembered = new Map<string, string | undefined>()

function meantBy(tag: string): string | undefined {
  if (tag.length > LONGEST_SUGGESTED) return undefined
  if (!remembered.has(tag)) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(tag, suggestTag(tag))
  }
  return remembered.get(tag)
}

export const skillCategory: Rule<Card> = {
  ...FINDINGS.SKILL_CATEGORY,
  check({ skills }, report) {
    for (const [i, tag] of skills.entries()) {
      const [first, ...more] = segmentsOf(tag)
      // A flat tag needs no category: the draft's own example has python.
      if (more.length === 0 || isBroken(tag) || CATEGORIES.includes(hyphenated(first!))) continue
      const meant = i < MOST_SUGGESTED ? meantBy(tag.value) : undefined
      const fix = meant === undefined ? {} : { fix: { hint: `did you mean ${quoted(meant)}?` } }
      report(tag.pointer, `${quoted(first!)} is not one of the recommended categories ${CATEGORIES.join(', ')}`, fix)
    }
  },
}

export const duplicateSkill: Rule<Card> = {
  ...FINDINGS.DUPLICATE_SKILL,
  check({ skills }, report) {
    const seen = new Map<string, string>()
    for (const { pointer, value } of skills) {
      const first = seen.get(value)
      if (first === undefined) seen.set(value, pointer)
      else
        report(pointer, `Tag ${quoted(value)} is listed already`, {
          related: [{ pointer: first, message: 'the first' }],
        })
    }
  },
}

export const skillSpelling: Rule<Card> = {
  ...FINDINGS.SKILL_SPELLING,
  check({ skills }, report) {
    for (const tag of skills.slice(0, MOST_SUGGESTED)) {
      const segments = segmentsOf(tag)
      // Other rules already report these tags.
      if (isBroken(tag) || !segments.every((segment) => FORM.test(segment))) continue
      if (segments.length > 1 && !CATEGORIES.includes(segments[0]!)) continue
      const meant = meantBy(tag.value)
      if (meant === undefined) continue
      report(tag.pointer, `Tag ${quoted(tag.value)} is like ${meant}`, { fix: { hint: `did you mean ${meant}?` } })
    }
  },
}

const MOST_OCTETS = 255

export const toolName: Rule<Card> = {
  ...FINDINGS.TOOL_NAME,
  check({ tools }, report) {
    for (const tool of tools) {
      const name = textMember(tool, 'name')
      // A UTF-16 unit has at most three octets in UTF-8.
      if (name === undefined || name.value.length * 3 <= MOST_OCTETS) continue
      const octets = utf8Length(name.value)
      if (octets > MOST_OCTETS) report(name.pointer, `Tool name has ${octets} UTF-8 octets, ${MOST_OCTETS} at the most`)
    }
  },
}

export const duplicateTool: Rule<Card> = {
  ...FINDINGS.DUPLICATE_TOOL,
  check: ({ tools }, report) => reportRepeated('tool', tools, report),
}

export const toolSchema: Rule<Card> = {
  ...FINDINGS.TOOL_SCHEMA,
  check({ tools }, report) {
    for (const tool of tools) {
      reportSchema(tool, 'input_schema', report)
      reportSchema(tool, 'output_schema', report)
    }
  },
}

export const language: Rule<Card> = {
  ...FINDINGS.LANGUAGE,
  check({ document, constraints }, report) {
    for (const { pointer, value } of elements(constraints, 'supported_languages', isText)) {
      if (isLanguage(value)) continue
      const lower = value.slice(0, 10).toLowerCase()
      const primary = lower.split(/[-_]/)[0]!
      const fix = isLanguage(lower)
        ? { fix: () => replaceText(document, pointer, lower) }
        : { fix: { hint: isLanguage(primary) ? `write ${quoted(primary)}` : 'a code has two letters, such as zh' } }
      report(pointer, `${quoted(value)} is no language of ISO 639-1`, fix)
    }
  },
}

export const rateLimit: Rule<Card> = {
  ...FINDINGS.RATE_LIMIT,
  check({ constraints }, report) {
    const limit = textMember(constraints, 'rate_limit')
    if (limit === undefined || parseRateLimit(limit.value) !== undefined) return
    const fix = { hint: 'a count, a slash and sec, min, hour or day: 60/min' }
    report(limit.pointer, `${quoted(limit.value)} is no limit that callers can read: it does not limit`, { fix })
  },
}

const LIMITS = ['max_concurrent_tasks', 'max_input_tokens']

export const noTask: Rule<Card> = {
  ...FINDINGS.NO_TASK,
  check({ constraints }, report) {
    for (const name of LIMITS) {
      if (member(constraints?.value, name) !== 0) continue
      report(`${constraints!.pointer}/${name}`, `'${name}' is 0: the agent takes nothing`)
    }
  },
}

export const hardToFind: Rule<Card> = {
  ...FINDINGS.HARD_TO_FIND,
  check({ root }, report) {
    if (Object.hasOwn(root.value, 'description') || Object.hasOwn(root.value, 'skills')) return
    report('', "The card has neither 'description' nor 'skills': nobody finds the agent by what it can do")
  },
}

export const memberSpelling: Rule<Card> = {
  ...FINDINGS.MEMBER_SPELLING,
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
