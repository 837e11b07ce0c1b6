import type { Rule } from '../../frame/subject.ts'
import { elements, isText, member, objectMember, textMember } from '../../text/members.ts'
import { oneOf, quoted, shown } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import type { Metadata } from '../subject.ts'

export const securityBlock: Rule<Metadata> = {
  ...FINDINGS.SECURITY_BLOCK,
  check({ root }, report) {
    if (!Object.hasOwn(root.value, 'security')) report('', 'Expected a security block')
  },
}

export const tlsRequired: Rule<Metadata> = {
  ...FINDINGS.TLS_REQUIRED,
  check({ security }, report) {
    if (member(security?.value, 'tlsRequired') === false) report(`${security!.pointer}/tlsRequired`, 'Expected true')
  },
}

/** `dane` occurs only in section 10.2. */
const METHODS = ['pubkey', 'bearer_token', 'dane']

export const authMethods: Rule<Metadata> = {
  ...FINDINGS.AUTH_METHODS,
  check({ security }, report) {
    if (!Array.isArray(member(security?.value, 'authMethods'))) return
    const methods = elements(security, 'authMethods', isText)
    if (methods.every(({ value }) => value !== 'pubkey'))
      report(`${security!.pointer}/authMethods`, 'Expected pubkey among the methods')
  },
}

export const noAuthMethods: Rule<Metadata> = {
  ...FINDINGS.NO_AUTH_METHODS,
  check({ security }, report) {
    if (security !== undefined && !Object.hasOwn(security.value, 'authMethods'))
      report(security.pointer, 'Expected authMethods, with pubkey among them')
  },
}

export const unknownMethod: Rule<Metadata> = {
  ...FINDINGS.UNKNOWN_AUTH_METHOD,
  check({ security }, report) {
    for (const { pointer, value } of elements(security, 'authMethods', isText)) {
      if (!METHODS.includes(value)) report(pointer, `${quoted(value)} is not ${oneOf(METHODS)}`)
    }
  },
}

export const minProtocolVersion: Rule<Metadata> = {
  ...FINDINGS.MIN_PROTOCOL_VERSION,
  check({ security }, report) {
    const version = textMember(security, 'minProtocolVersion')
    if (version === undefined || version.value === '' || /^ADP\/1\.[01]$/.test(version.value)) return
    report(version.pointer, `Expected ADP/1.0 or ADP/1.1, found ${quoted(version.value)}`)
  },
}

export const rateLimit: Rule<Metadata> = {
  ...FINDINGS.RATE_LIMIT,
  check({ security }, report) {
    const limit = objectMember(security, 'rateLimit')
    for (const name of ['requestsPerMinute', 'burstSize']) {
      const value = member(limit?.value, name)
      if (value === 0) report(`${limit!.pointer}/${name}`, 'Expected a positive number, found 0')
    }
  },
}

export const fractionalRate: Rule<Metadata> = {
  ...FINDINGS.FRACTIONAL_RATE,
  check({ security }, report) {
    const limit = objectMember(security, 'rateLimit')
    for (const name of ['requestsPerMinute', 'burstSize']) {
      const value = member(limit?.value, name)
      if (typeof value === 'number' && value > 0 && !Number.isInteger(value))
        report(`${limit!.pointer}/${name}`, `Expected a whole number, found ${value}`)
    }
  },
}

export const dnsClaim: Rule<Metadata> = {
  ...FINDINGS.DNS_CLAIM,
  check({ root }, report) {
    const dns = objectMember(root, 'dns')
    const dane = objectMember(dns, 'dane')
    const claims = [
      [dns, 'svcbVerified'],
      [dns, 'dnssecSigned'],
      [dane, 'supported'],
    ] as const
    for (const [block, name] of claims) {
      const value = member(block?.value, name)
      if (value !== undefined && typeof value !== 'boolean')
        report(`${block!.pointer}/${name}`, `Expected true or false, found ${shown(value)}`)
    }
    const claim = member(dns?.value, 'dane')
    if (claim !== undefined && dane === undefined)
      report(`${dns!.pointer}/dane`, `Expected an object, found ${shown(claim)}`)
  },
}
