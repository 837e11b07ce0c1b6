import type { Rule } from '../../frame/subject.ts'
import { quoted } from '../../text/words.ts'
import { FOREIGN_MEMBER, OLDER_PROTOCOL, PROTOCOL_VERSION } from '../findings.ts'
import { PROTOCOL } from '../identity.ts'
import type { Metadata } from '../subject.ts'

const BEFORE = 'ADP/1.0'

/** True for metadata of an unknown protocol version. Metadata without a version gets a finding instead. */
export const isOtherProtocol = ({ protocol }: Metadata): boolean =>
  protocol !== undefined && protocol.value !== '' && protocol.value !== PROTOCOL && protocol.value !== BEFORE

export const protocolVersion: Rule<Metadata> = {
  ...PROTOCOL_VERSION,
  check(metadata, report) {
    const { protocol } = metadata
    if (isOtherProtocol(metadata)) report(protocol!.pointer, `Expected ${PROTOCOL}, found ${quoted(protocol!.value)}`)
  },
}

export const olderProtocol: Rule<Metadata> = {
  ...OLDER_PROTOCOL,
  check({ protocol }, report) {
    if (protocol?.value === BEFORE)
      report(protocol.pointer, `It is of ${BEFORE}`, { fix: { hint: `write "${PROTOCOL}"` } })
  },
}

/**
 * Root members that identify other kinds of documents. A signature over metadata must never pass for one over such a
 * document.
 */
const FOREIGN = ['invite', 'adp_version', 'agent_card', 'adl_spec'] as const

export const foreignMember: Rule<Metadata> = {
  ...FOREIGN_MEMBER,
  check({ root }, report) {
    for (const name of FOREIGN) {
      if (Object.hasOwn(root.value, name))
        report(`/${name}`, `${quoted(name)} tells another kind of document`, { atName: true })
    }
  },
}
