import { replaceText } from '../../document/fixes.ts'
import type { Rule } from '../../frame/rule.ts'
import { isLanguage } from '../../tables/index.ts'
import { elements, isText, member, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { LANGUAGE, NO_TASK, RATE_LIMIT } from '../findings.ts'
import { parseRateLimit } from '../rate-limit.ts'

export const language: Rule<Card> = {
  ...LANGUAGE,
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
  ...RATE_LIMIT,
  check({ constraints }, report) {
    const limit = textMember(constraints, 'rate_limit')
    if (limit === undefined || parseRateLimit(limit.value) !== undefined) return
    const fix = { hint: 'a count, a slash and sec, min, hour or day: 60/min' }
    report(limit.pointer, `${quoted(limit.value)} is no limit that callers can read: it does not limit`, { fix })
  },
}

const LIMITS = ['max_concurrent_tasks', 'max_input_tokens']

export const noTask: Rule<Card> = {
  ...NO_TASK,
  check({ constraints }, report) {
    for (const name of LIMITS) {
      if (member(constraints?.value, name) !== 0) continue
      report(`${constraints!.pointer}/${name}`, `'${name}' is 0: the agent takes nothing`)
    }
  },
}
