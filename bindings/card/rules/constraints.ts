import { replaceText } from '../../document/fixes.ts'
import type { Rule } from '../../frame/rule.ts'
import { isLanguage } from '../../tables/index.ts'
import { elements, isText, member, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { parseRateLimit } from '../rate-limit.ts'

export const language: Rule<Card> = {
  id: 'language',
  code: 'CARD-125',
  title: 'Not a language of ISO 639-1',
  section: 'Agent Card 3.7',
  severity: 'error',
  why: 'Callers compare codes: who looks for an agent that speaks en does not find eng or English.',
  bad: '{"constraints": {"supported_languages": ["EN"]}}',
  good: '{"constraints": {"supported_languages": ["en"]}}',
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
  id: 'rate-limit',
  code: 'CARD-126',
  title: 'Rate limit that cannot be read',
  section: 'Agent Card 3.7',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'Callers that cannot read it do not keep to it, and are told BUSY in the middle of their work.',
  bad: '{"constraints": {"rate_limit": "moderate"}}',
  good: '{"constraints": {"rate_limit": "60/min"}}',
  check({ constraints }, report) {
    const limit = textMember(constraints, 'rate_limit')
    if (limit === undefined || parseRateLimit(limit.value) !== undefined) return
    const fix = { hint: 'a count, a slash and sec, min, hour or day: 60/min' }
    report(limit.pointer, `${quoted(limit.value)} is no limit that callers can read: it does not limit`, { fix })
  },
}

const LIMITS = ['max_concurrent_tasks', 'max_input_tokens']

export const noTask: Rule<Card> = {
  id: 'no-task',
  code: 'CARD-127',
  title: 'Limit that lets nothing through',
  section: 'Agent Card 5',
  severity: 'warning',
  rulesets: { spec: 'off' },
  why: 'An agent that has all the tasks it takes is left out of every search: one that takes none always is.',
  bad: '{"constraints": {"max_concurrent_tasks": 0}}',
  good: '{"constraints": {"max_concurrent_tasks": 1}}',
  check({ constraints }, report) {
    for (const name of LIMITS) {
      if (member(constraints?.value, name) !== 0) continue
      report(`${constraints!.pointer}/${name}`, `'${name}' is 0: the agent takes nothing`)
    }
  },
}
