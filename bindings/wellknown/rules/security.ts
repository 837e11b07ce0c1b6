import type { Rule } from '../../frame/rule.ts'
import { elements, isText, member, objectMember, textMember } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
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

/** `dane` in section 10.2 alone. */
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
  why: 'A limit is a positive whole number: with none nobody may ask at all.',
  bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 0}}}',
  good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"requestsPerMinute": 60}}}',
  check({ security }, report) {
    const limit = objectMember(security, 'rateLimit')
    for (const name of ['requestsPerMinute', 'burstSize']) {
      const value = member(limit?.value, name)
      if (typeof value !== 'number' || value < 0 || (Number.isInteger(value) && value > 0)) continue
      report(`${limit!.pointer}/${name}`, `Expected a positive whole number, found ${value}`)
    }
  },
}
