import type { Rule } from '../../frame/subject.ts'
import { isDomain } from '../../text/host-name.ts'
import { quoted } from '../../text/words.ts'
import { TRACE_VERSION } from '../trust/trace.ts'
import * as FINDINGS from './findings.ts'
import { bytesOf, invitationFault, isBase64, missingIn, type RecordedDiscovery } from './subject.ts'

const traceVersion: Rule<RecordedDiscovery> = {
  ...FINDINGS.TRACE_VERSION,
  check({ version }, report) {
    if (version === undefined || version.value === '' || version.value === TRACE_VERSION) return
    report(version.pointer, `Expected ${TRACE_VERSION}, found ${quoted(version.value)}`)
  },
}

const traceDomain: Rule<RecordedDiscovery> = {
  ...FINDINGS.TRACE_DOMAIN,
  check({ domain }, report) {
    if (domain === undefined || domain.value === '') return
    if (!isDomain(domain.value) || domain.value !== domain.value.toLowerCase()) {
      report(domain.pointer, `${quoted(domain.value)} is not a domain name in lower case`)
    }
  },
}

const traceInvitation: Rule<RecordedDiscovery> = {
  ...FINDINGS.TRACE_INVITATION,
  check({ invitation }, report) {
    if (invitation === undefined) return
    const fault = invitationFault(invitation.value)
    if (fault !== undefined) report(invitation.pointer, `Incomplete: ${fault}`)
    if (Object.hasOwn(invitation.value, 'code'))
      report(`${invitation.pointer}/code`, 'Expected no code, which is a secret')
  },
}

const traceStep: Rule<RecordedDiscovery> = {
  ...FINDINGS.TRACE_STEP,
  check({ steps }, report) {
    for (const { pointer, value } of steps) {
      const missing = missingIn(value)
      if (missing !== undefined) report(pointer, `Expected ${missing}, found none`)
    }
  },
}

const traceBytes: Rule<RecordedDiscovery> = {
  ...FINDINGS.TRACE_BYTES,
  check({ steps }, report) {
    for (const part of steps.flatMap(bytesOf)) {
      if (!isBase64(part)) report(part.pointer, `Expected base64 with padding, found ${quoted(part.value)}`)
    }
  },
}

/** In the order of the document. */
export const RULES: readonly Rule<RecordedDiscovery>[] = [
  traceVersion,
  traceDomain,
  traceInvitation,
  traceStep,
  traceBytes,
]
