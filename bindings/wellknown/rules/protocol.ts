import type { Rule, RuleInfo } from '../../frame/rule.ts'
import { quoted } from '../../text/words.ts'
import type { Metadata } from '../metadata.ts'
import { PROTOCOL } from '../protocol.ts'

const BEFORE = 'ADP/1.0'

export const rootObject: RuleInfo = {
  id: 'root-object',
  code: 'WK-101',
  title: 'Metadata that is no JSON object',
  section: 'ADP/1.1 section 6.3',
  severity: 'error',
  why: 'Metadata is one JSON object: nothing else has members to read.',
  bad: '[]',
  good: '{"protocol": "ADP/1.1"}',
}

/** True for metadata of an unknown protocol version. Metadata without a version gets a finding instead. */
export const isOtherProtocol = ({ protocol }: Metadata): boolean =>
  protocol !== undefined && protocol.value !== '' && protocol.value !== PROTOCOL && protocol.value !== BEFORE

export const protocolVersion: Rule<Metadata> = {
  id: 'protocol-version',
  code: 'WK-102',
  title: 'Another protocol',
  section: 'ADP/1.1 section 6.3.1',
  severity: 'error',
  why: 'The member says by which rules all others are to be read, and clients check it before anything else (section 9.4).',
  bad: '{"protocol": "ADP/2.0"}',
  good: '{"protocol": "ADP/1.1"}',
  check(metadata, report) {
    const { protocol } = metadata
    if (isOtherProtocol(metadata)) report(protocol!.pointer, `Expected ${PROTOCOL}, found ${quoted(protocol!.value)}`)
  },
}

export const olderProtocol: Rule<Metadata> = {
  id: 'older-protocol',
  code: 'WK-107',
  title: 'Metadata of ADP/1.0',
  section: 'ADP/1.1 section 10.2',
  severity: 'warning',
  why: 'Clients of 1.1 read it, but ask for 1.1: the member MUST be ADP/1.1.',
  bad: '{"protocol": "ADP/1.0"}',
  good: '{"protocol": "ADP/1.1"}',
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
  id: 'foreign-member',
  code: 'WK-108',
  title: 'Member of another kind of document',
  section: 'docs/guide/keys.md',
  severity: 'error',
  why: 'One key signs documents of several kinds. What could be read as two of them would be signed as both.',
  bad: '{"protocol": "ADP/1.1", "adl_spec": "0.1"}',
  good: '{"protocol": "ADP/1.1"}',
  check({ root }, report) {
    for (const name of FOREIGN) {
      if (Object.hasOwn(root.value, name))
        report(`/${name}`, `${quoted(name)} tells another kind of document`, { atName: true })
    }
  },
}
