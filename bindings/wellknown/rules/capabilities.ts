import { replaceText } from '../../document/fixes.ts'
import { placeholderRule } from '../../frame/placeholders.ts'
import type { Rule } from '../../frame/rule.ts'
import { isMimeType } from '../../schema/formats.ts'
import { elements, isText, objectMember, textMember } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import { isLanguageTag } from '../language-tag.ts'
import type { Metadata } from '../metadata.ts'

export const duplicateCapability: Rule<Metadata> = {
  id: 'duplicate-capability',
  code: 'WK-130',
  title: 'Two capabilities with one id',
  section: 'ADP/1.1 section 6.3.4',
  severity: 'error',
  why: 'Tasks name a capability by its id, which is unique: of two with one id, nothing tells which is meant.',
  bad: '{"capabilities": [{"id": "chat", "name": "Chat"}, {"id": "chat", "name": "Talk"}]}',
  good: '{"capabilities": [{"id": "chat", "name": "Chat"}, {"id": "talk", "name": "Talk"}]}',
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
  id: 'capability-id',
  code: 'WK-131',
  title: 'Capability without an id or a name',
  section: 'ADP/1.1 section 6.3.4',
  severity: 'warning',
  why: 'Nobody can ask for it, or show it. The draft marks neither as required; its schema does.',
  bad: '{"capabilities": [{"description": "Talks."}]}',
  good: '{"capabilities": [{"id": "chat", "name": "Chat", "description": "Talks."}]}',
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
  id: 'media-token',
  code: 'WK-132',
  title: 'Input or output that is neither a token nor a media type',
  section: 'ADP/1.1 section 6.3.4',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'Clients compare these letter for letter with what they have to send, or can take.',
  bad: '{"capabilities": [{"id": "chat", "name": "Chat", "input": ["Plain Text"]}]}',
  good: '{"capabilities": [{"id": "chat", "name": "Chat", "input": ["text", "application/pdf"]}]}',
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
  id: 'language-tag',
  code: 'WK-133',
  title: 'Language that is no tag of BCP 47',
  section: 'ADP/1.1 section 6.3.4',
  severity: 'error',
  why: 'Languages are told by tags: en, zh-Hant, pt-BR. A name in words matches nothing.',
  bad: '{"capabilities": [{"id": "chat", "name": "Chat", "languages": ["English (US)"]}]}',
  good: '{"capabilities": [{"id": "chat", "name": "Chat", "languages": ["en-US"]}]}',
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
  id: 'pricing-model',
  code: 'WK-134',
  title: 'Pricing by another model',
  section: 'ADP/1.1 section 6.3.4',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'There are three models, and clients choose by them; others come from earlier drafts.',
  bad: '{"capabilities": [{"id": "chat", "name": "Chat", "pricing": {"model": "per-use"}}]}',
  good: '{"capabilities": [{"id": "chat", "name": "Chat", "pricing": {"model": "per_use"}}]}',
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

export const placeholder = placeholderRule<Metadata>(
  {
    code: 'WK-149',
    section: 'ADP/1.1 section 6.3.4',
    why: 'Whoever reads the metadata learns nothing of what the agent does.',
    bad: '{"capabilities": [{"id": "chat", "name": "Chat", "description": "Says what this tool does, with what, and what comes out of it."}]}',
    good: '{"capabilities": [{"id": "chat", "name": "Chat", "description": "Answers questions about invoices."}]}',
  },
  [[['capabilities', '*', 'description'], 'what the agent does for whoever asks it for this']],
)
