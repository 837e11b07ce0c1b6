import type { Rule, RuleInfo } from '../../../frame/rule.ts'
import { quoted } from '../../../text/words.ts'
import { PROTOCOL } from '../../protocol.ts'
import type { Invitation } from '../invitation.ts'

export const rootObject: RuleInfo = {
  id: 'root-object',
  code: 'INV-101',
  title: 'Invitation that is no JSON object',
  section: 'ADP/1.1 section 8.3.1',
  severity: 'error',
  why: 'An invitation is one JSON object: nothing else has members to read.',
  bad: '[]',
  good: '{"protocol": "ADP/1.1", "invite": {}}',
}

export const protocolVersion: Rule<Invitation> = {
  id: 'protocol-version',
  code: 'INV-102',
  title: 'Another protocol',
  section: 'ADP/1.1 section 8.3.1',
  severity: 'error',
  why: 'The member says by which rules all others are to be read. Before 1.1 there were no invitations.',
  bad: '{"protocol": "ADP/1.0", "invite": {}}',
  good: '{"protocol": "ADP/1.1", "invite": {}}',
  check({ protocol }, report) {
    if (protocol === undefined || protocol.value === '' || protocol.value === PROTOCOL) return
    report(protocol.pointer, `Expected ${PROTOCOL}, found ${quoted(protocol.value)}`)
  },
}

/** Root members that identify other kinds of documents. */
const FOREIGN = ['identity', 'endpoints', 'capabilities', 'adp_version', 'agent_card', 'adl_spec'] as const

export const foreignMember: Rule<Invitation> = {
  id: 'foreign-member',
  code: 'INV-106',
  title: 'Member of another kind of document',
  section: 'docs/guide/keys.md',
  severity: 'error',
  why: 'One key signs documents of several kinds, and the signature of an invitation covers nothing but its member invite.',
  bad: '{"protocol": "ADP/1.1", "invite": {}, "identity": {}}',
  good: '{"protocol": "ADP/1.1", "invite": {}}',
  check({ root }, report) {
    for (const name of FOREIGN) {
      if (Object.hasOwn(root.value, name))
        report(`/${name}`, `${quoted(name)} tells another kind of document`, { atName: true })
    }
  },
}
