import { replaceText } from '../../document/fixes.ts'
import type { Rule } from '../../frame/rule.ts'
import type { PlacedValue } from '../../text/members.ts'
import { quoted, snakeCase } from '../../text/words.ts'
import type { Card } from '../card.ts'
import * as FINDINGS from '../findings.ts'
import { suggestTag } from '../tags/suggest.ts'
import { ALIASES, STANDARD_TAGS, TAG_CATEGORIES } from '../tags/vocabulary.ts'

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
