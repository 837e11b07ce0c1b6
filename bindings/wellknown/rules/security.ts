import type { Rule } from '../../frame/rule.ts'
import { elements, isText, member, objectMember, textMember } from '../../text/members.ts'
import { oneOf, quoted, shown } from '../../text/words.ts'
import type { Metadata } from '../metadata.ts'

export const securityBlock: Rule<Metadata> = {
  id: 'security-block',
  code: 'WK-140',
  title: 'No security block',
  section: 'ADP/1.1 section 6.3.1',
  severity: 'warning',
  rulesets: { spec: 'info', security: 'error' },
  why: 'It is RECOMMENDED: clients learn from it how to authenticate, and how often they may ask.',
  bad: '{"protocol": "ADP/1.1"}',
  good: '{"protocol": "ADP/1.1", "security": {"tlsRequired": true, "authMethods": ["pubkey"]}}',
  check({ root }, report) {
    if (!Object.hasOwn(root.value, 'security')) report('', 'Expected a security block')
  },
}

export const tlsRequired: Rule<Metadata> = {
  id: 'tls-required',
  code: 'WK-141',
  title: 'TLS that is not required',
  section: 'ADP/1.1 section 6.3.5',
  severity: 'error',
  why: 'The member MUST be true: there is no way to talk to an agent without TLS 1.3 (section 8.2).',
  bad: '{"security": {"tlsRequired": false, "authMethods": ["pubkey"]}}',
  good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"]}}',
  check({ security }, report) {
    if (member(security?.value, 'tlsRequired') === false) report(`${security!.pointer}/tlsRequired`, 'Expected true')
  },
}

/** `dane` occurs only in section 10.2. */
const METHODS = ['pubkey', 'bearer_token', 'dane']

export const authMethods: Rule<Metadata> = {
  id: 'auth-methods',
  code: 'WK-142',
  title: 'Authentication without the key',
  section: 'ADP/1.1 section 6.3.5',
  severity: 'error',
  why: 'All implementations MUST support pubkey: clients that know nothing else could not talk to this agent.',
  bad: '{"security": {"tlsRequired": true, "authMethods": ["bearer_token"]}}',
  good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey", "bearer_token"]}}',
  check({ security }, report) {
    if (!Array.isArray(member(security?.value, 'authMethods'))) return
    const methods = elements(security, 'authMethods', isText)
    if (methods.every(({ value }) => value !== 'pubkey'))
      report(`${security!.pointer}/authMethods`, 'Expected pubkey among the methods')
  },
}

export const noAuthMethods: Rule<Metadata> = {
  id: 'no-auth-methods',
  code: 'WK-146',
  title: 'No authentication methods',
  section: 'ADP/1.1 section 6.3.5',
  severity: 'warning',
  why: 'Clients learn from the list how to authenticate. Without it they can only assume pubkey.',
  bad: '{"security": {"tlsRequired": true}}',
  good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"]}}',
  check({ security }, report) {
    if (security !== undefined && !Object.hasOwn(security.value, 'authMethods'))
      report(security.pointer, 'Expected authMethods, with pubkey among them')
  },
}

export const unknownMethod: Rule<Metadata> = {
  id: 'unknown-auth-method',
  code: 'WK-143',
  title: 'Unknown authentication method',
  section: 'ADP/1.1 section 6.3.5',
  severity: 'info',
  rulesets: { spec: 'off', strict: 'warning' },
  why: 'Clients of the draft do not know it, and pass it over.',
  bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey", "basic"]}}',
  good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"]}}',
  check({ security }, report) {
    for (const { pointer, value } of elements(security, 'authMethods', isText)) {
      if (!METHODS.includes(value)) report(pointer, `${quoted(value)} is not ${oneOf(METHODS)}`)
    }
  },
}

export const minProtocolVersion: Rule<Metadata> = {
  id: 'min-protocol-version',
  code: 'WK-144',
  title: 'Malformed least protocol version',
  section: 'ADP/1.1 section 6.3.5',
  severity: 'error',
  why: 'Who speaks a lower version is refused. A version that does not exist refuses everybody.',
  bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "minProtocolVersion": "1.1"}}',
  good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "minProtocolVersion": "ADP/1.1"}}',
  check({ security }, report) {
    const version = textMember(security, 'minProtocolVersion')
    if (version === undefined || version.value === '' || /^ADP\/1\.[01]$/.test(version.value)) return
    report(version.pointer, `Expected ADP/1.0 or ADP/1.1, found ${quoted(version.value)}`)
  },
}

export const rateLimit: Rule<Metadata> = {
  id: 'rate-limit',
  code: 'WK-145',
  title: 'Rate that lets nothing through',
  section: 'ADP/1.1 section 6.3.5',
  severity: 'error',
  why: 'With a limit of 0 nobody may ask at all.',
  bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 0}}}',
  good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 60}}}',
  check({ security }, report) {
    const limit = objectMember(security, 'rateLimit')
    for (const name of ['requestsPerMinute', 'burstSize']) {
      const value = member(limit?.value, name)
      if (value === 0) report(`${limit!.pointer}/${name}`, 'Expected a positive number, found 0')
    }
  },
}

export const fractionalRate: Rule<Metadata> = {
  id: 'fractional-rate',
  code: 'WK-147',
  title: 'Rate that is not a whole number',
  section: 'ADP/1.1 section 6.3.5',
  severity: 'warning',
  why: 'Requests are counted in whole numbers, and programs round a fraction in different ways.',
  bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 1.5}}}',
  good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 2}}}',
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
  id: 'dns-claim',
  code: 'WK-148',
  title: 'Claim about the DNS that is not true or false',
  section: 'ADP/1.1 section 6.3.6',
  severity: 'warning',
  why: 'Clients compare these claims with what they see, and ignore one of another type.',
  bad: '{"dns": {"dnssecSigned": "yes"}}',
  good: '{"dns": {"dnssecSigned": true}}',
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
