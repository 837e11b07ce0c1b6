import type { Rule } from '../../../frame/rule.ts'
import { quoted } from '../../../text/words.ts'
import { PROTOCOL } from '../../protocol.ts'
import { FOREIGN_MEMBER, PROTOCOL_VERSION } from '../findings.ts'
import type { Invitation } from '../invitation.ts'

export const protocolVersion: Rule<Invitation> = {
  ...PROTOCOL_VERSION,
  check({ protocol }, report) {
    if (protocol === undefined || protocol.value === '' || protocol.value === PROTOCOL) return
    report(protocol.pointer, `Expected ${PROTOCOL}, found ${quoted(protocol.value)}`)
  },
}

/** Root members that identify other kinds of documents. */
const FOREIGN = ['identity', 'endpoints', 'capabilities', 'adp_version', 'agent_card', 'adl_spec'] as const

export const foreignMember: Rule<Invitation> = {
  ...FOREIGN_MEMBER,
  check({ root }, report) {
    for (const name of FOREIGN) {
      if (Object.hasOwn(root.value, name))
        report(`/${name}`, `${quoted(name)} tells another kind of document`, { atName: true })
    }
  },
}
