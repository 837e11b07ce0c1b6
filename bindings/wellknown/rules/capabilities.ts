import { replaceText } from '../../document/fixes.ts'
import { placeholderRule } from '../../frame/placeholders.ts'
import { type Rule, rule } from '../../frame/subject.ts'
import { isMimeType } from '../../schema/formats.ts'
import { elements, isText, objectMember, repetitions, textMember, textsOf, valueIn } from '../../text/members.ts'
import { oneOf, quoted, shown } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import type { Metadata } from '../subject.ts'

/** `text`, `file`, `x-geo`: a lower-case word. */
const TOKEN = /^[a-z][a-z0-9_+.-]{0,63}$/

const MODELS = ['free', 'per_use', 'subscription']
/** Names from earlier drafts, with their current names if known. */
const OLDER: Readonly<Record<string, string | undefined>> = {
  'per-use': 'per_use',
  quota: undefined,
  enterprise: undefined,
}

export const CAPABILITY_RULES: readonly Rule<Metadata>[] = [
  rule(FINDINGS.DUPLICATE_CAPABILITY, ({ capabilities }, report) => {
    for (const [{ pointer, value }, first] of repetitions(textsOf(capabilities, 'id'), (id) => id.value)) {
      const related = [{ pointer: first.pointer, message: 'the first' }]
      report(pointer, `${quoted(value)} is the id of another`, { related })
    }
  }),
  rule(FINDINGS.CAPABILITY_ID, ({ capabilities }, report) => {
    for (const capability of capabilities) {
      const missing = ['id', 'name'].filter((name) => !Object.hasOwn(capability.value, name))
      if (missing.length > 0) report(capability.pointer, `Expected ${missing.join(' and ')}`)
    }
  }),
  rule(FINDINGS.MEDIA_TOKEN, ({ capabilities }, report) => {
    for (const capability of capabilities) {
      for (const list of ['input', 'output']) {
        for (const { pointer, value } of elements(capability, list, isText)) {
          if (!TOKEN.test(value) && !isMimeType(value))
            report(pointer, `${quoted(value)} is neither a token such as text nor a media type`)
        }
      }
    }
  }),
  rule(FINDINGS.LANGUAGE_TAG, ({ document, capabilities }, report) => {
    for (const capability of capabilities) {
      for (const { pointer, value } of elements(capability, 'languages', isText)) {
        if (isLanguageTag(value)) continue
        const meant = value.replaceAll('_', '-')
        const fix = isLanguageTag(meant) ? { fix: () => replaceText(document, pointer, meant) } : {}
        report(pointer, `${quoted(value)} is no language tag (BCP 47)`, fix)
      }
    }
  }),
  rule(FINDINGS.PRICING_MODEL, ({ document, capabilities }, report) => {
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
  }),
  placeholderRule(FINDINGS.PLACEHOLDER, [
    [['capabilities', '*', 'description'], 'what the agent does for its callers'],
  ]),
]

// The grammar of RFC 5646 section 2.1. The lengths of the parts differ, so each tag can be read in only one way.
const LANGUAGE = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})'
const SCRIPT = '(?:-[a-z]{4})?'
const REGION = '(?:-(?:[a-z]{2}|\\d{3}))?'
const VARIANTS = '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*'
const EXTENSIONS = '(?:-[a-wy-z\\d](?:-[a-z\\d]{2,8})+)*'
const PRIVATE = 'x(?:-[a-z\\d]{1,8})+'

const TAG = new RegExp(`^(?:${LANGUAGE}${SCRIPT}${REGION}${VARIANTS}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE})$`, 'i')
/** Tags that were registered before the grammar existed. */
const IRREGULAR =
  /^(?:en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE))$/i

/** Parts that must not be repeated: variants, and the letters or digits of extensions. */
const ONCE = /^(?:[a-z\d]|[a-z\d]{5,8}|\d[a-z\d]{3})$/

/** True for a well-formed language tag. Whether its parts are registered is not checked. */
const isLanguageTag = (text: string): boolean =>
  text.length <= 255 && (IRREGULAR.test(text) || (TAG.test(text) && hasNothingTwice(text.toLowerCase())))

/**
 * Variants and extensions must not be repeated (sections 2.2.5 and 2.2.6). Parts inside an extension or a private part
 * may be.
 */
function hasNothingTwice(tag: string): boolean {
  const parts = tag.split('-').slice(1)
  const once: string[] = []
  for (const part of parts) {
    if (part === 'x') break
    const isInExtension = once.some((one) => one.length === 1)
    if (ONCE.test(part) && (part.length === 1 || !isInExtension)) once.push(part)
  }
  return new Set(once).size === once.length
}

/** `dane` occurs only in section 10.2. */
const METHODS = ['pubkey', 'bearer_token', 'dane']

export const SECURITY_RULES: readonly Rule<Metadata>[] = [
  rule(FINDINGS.SECURITY_BLOCK, ({ root }, report) => {
    if (!Object.hasOwn(root.value, 'security')) report('', 'Expected a security block')
  }),
  rule(FINDINGS.TLS_REQUIRED, ({ security }, report) => {
    if (valueIn(security, 'tlsRequired') === false) report(`${security!.pointer}/tlsRequired`, 'Expected true')
  }),
  rule(FINDINGS.AUTH_METHODS, ({ security }, report) => {
    if (!Array.isArray(valueIn(security, 'authMethods'))) return
    const methods = elements(security, 'authMethods', isText)
    if (methods.every(({ value }) => value !== 'pubkey'))
      report(`${security!.pointer}/authMethods`, 'Expected pubkey among the methods')
  }),
  rule(FINDINGS.NO_AUTH_METHODS, ({ security }, report) => {
    if (security !== undefined && !Object.hasOwn(security.value, 'authMethods'))
      report(security.pointer, 'Expected authMethods, with pubkey among them')
  }),
  rule(FINDINGS.UNKNOWN_AUTH_METHOD, ({ security }, report) => {
    for (const { pointer, value } of elements(security, 'authMethods', isText)) {
      if (!METHODS.includes(value)) report(pointer, `${quoted(value)} is not ${oneOf(METHODS)}`)
    }
  }),
  rule(FINDINGS.MIN_PROTOCOL_VERSION, ({ security }, report) => {
    const version = textMember(security, 'minProtocolVersion')
    if (version === undefined || version.value === '' || /^ADP\/1\.[01]$/.test(version.value)) return
    report(version.pointer, `Expected ADP/1.0 or ADP/1.1, found ${quoted(version.value)}`)
  }),
  rule(FINDINGS.RATE_LIMIT, ({ security }, report) => {
    const limit = objectMember(security, 'rateLimit')
    for (const name of ['requestsPerMinute', 'burstSize']) {
      const value = valueIn(limit, name)
      if (value === 0) report(`${limit!.pointer}/${name}`, 'Expected a positive number, found 0')
    }
  }),
  rule(FINDINGS.FRACTIONAL_RATE, ({ security }, report) => {
    const limit = objectMember(security, 'rateLimit')
    for (const name of ['requestsPerMinute', 'burstSize']) {
      const value = valueIn(limit, name)
      if (typeof value === 'number' && value > 0 && !Number.isInteger(value))
        report(`${limit!.pointer}/${name}`, `Expected a whole number, found ${value}`)
    }
  }),
  rule(FINDINGS.DNS_CLAIM, ({ root }, report) => {
    const dns = objectMember(root, 'dns')
    const dane = objectMember(dns, 'dane')
    const claims = [
      [dns, 'svcbVerified'],
      [dns, 'dnssecSigned'],
      [dane, 'supported'],
    ] as const
    for (const [block, name] of claims) {
      const value = valueIn(block, name)
      if (value !== undefined && typeof value !== 'boolean')
        report(`${block!.pointer}/${name}`, `Expected true or false, found ${shown(value)}`)
    }
    const claim = valueIn(dns, 'dane')
    if (claim !== undefined && dane === undefined)
      report(`${dns!.pointer}/dane`, `Expected an object, found ${shown(claim)}`)
  }),
]
