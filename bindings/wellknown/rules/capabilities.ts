import { replaceText } from '../../document/fixes.ts'
import { placeholderRule } from '../../frame/placeholders.ts'
import type { Rule } from '../../frame/rule.ts'
import { isMimeType } from '../../schema/formats.ts'
import { elements, isText, objectMember, textMember } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { isLanguageTag } from '../language-tag.ts'
import type { Metadata } from '../metadata.ts'

export const duplicateCapability: Rule<Metadata> = {
  ...FINDINGS.DUPLICATE_CAPABILITY,
  check({ capabilities }, report) {
    const seen = new Map<string, string>()
    for (const capability of capabilities) {
      const id = textMember(capability, 'id')
      if (id === undefined) continue
      const first = seen.get(id.value)
      if (first === undefined) seen.set(id.value, id.pointer)
      else
        report(id.pointer, `${quoted(id.value)} is the id of another`, {
          related: [{ pointer: first, message: 'the first' }],
        })
    }
  },
}

export const nameless: Rule<Metadata> = {
  ...FINDINGS.CAPABILITY_ID,
  check({ capabilities }, report) {
    for (const capability of capabilities) {
      const missing = ['id', 'name'].filter((name) => !Object.hasOwn(capability.value, name))
      if (missing.length > 0) report(capability.pointer, `Expected ${missing.join(' and ')}`)
    }
  },
}

/** `text`, `file`, `x-geo`: a lower-case word. */
const TOKEN = /^[a-z][a-z0-9_+.-]{0,63}$/

export const mediaToken: Rule<Metadata> = {
  ...FINDINGS.MEDIA_TOKEN,
  check({ capabilities }, report) {
    for (const capability of capabilities) {
      for (const list of ['input', 'output']) {
        for (const { pointer, value } of elements(capability, list, isText)) {
          if (!TOKEN.test(value) && !isMimeType(value))
            report(pointer, `${quoted(value)} is neither a token such as text nor a media type`)
        }
      }
    }
  },
}

export const languageTag: Rule<Metadata> = {
  ...FINDINGS.LANGUAGE_TAG,
  check({ document, capabilities }, report) {
    for (const capability of capabilities) {
      for (const { pointer, value } of elements(capability, 'languages', isText)) {
        if (isLanguageTag(value)) continue
        const meant = value.replaceAll('_', '-')
        const fix = isLanguageTag(meant) ? { fix: () => replaceText(document, pointer, meant) } : {}
        report(pointer, `${quoted(value)} is no language tag (BCP 47)`, fix)
      }
    }
  },
}

const MODELS = ['free', 'per_use', 'subscription']
/** Names from earlier drafts, with their current names if known. */
const OLDER: Readonly<Record<string, string | undefined>> = {
  'per-use': 'per_use',
  quota: undefined,
  enterprise: undefined,
}

export const pricingModel: Rule<Metadata> = {
  ...FINDINGS.PRICING_MODEL,
  check({ document, capabilities }, report) {
    for (const capability of capabilities) {
      const pricing = objectMember(capability, 'pricing')
      const model = textMember(pricing, 'model')
      if (pricing !== undefined && !Object.hasOwn(pricing.value, 'model'))
        report(pricing.pointer, `Expected a model: ${oneOf(MODELS)}`)
      if (model === undefined || model.value === '' || MODELS.includes(model.value)) continue
      const meant = Object.hasOwn(OLDER, model.value) ? OLDER[model.value] : undefined
      const origin = Object.hasOwn(OLDER, model.value) ? ', a word of an earlier draft' : ''
      const fix = meant === undefined ? {} : { fix: () => replaceText(document, model.pointer, meant) }
      report(model.pointer, `Expected ${oneOf(MODELS)}, found ${quoted(model.value)}${origin}`, fix)
    }
  },
}

export const placeholder = placeholderRule<Metadata>(FINDINGS.PLACEHOLDER, [
  [['capabilities', '*', 'description'], 'what the agent does for its callers'],
])
