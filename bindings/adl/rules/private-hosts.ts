import type { Rule } from '../../frame/rule.ts'
import { hostOf, revealedBy } from '../../text/private-host.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { patterns, uris } from '../places.ts'

export const privateHosts: Rule<Agent> = {
  id: 'private-host',
  code: 'BADL-115',
  title: 'Private host or address',
  section: 'ADL 18.4',
  severity: 'warning',
  why: 'A published document tells attackers how the network inside is named and numbered; elsewhere the name leads to another host.',
  bad: '{"permissions": {"network": {"allowed_hosts": ["db.corp"]}}}',
  good: '{"permissions": {"network": {"allowed_hosts": ["db.acme.example.com"]}}}',
  check(agent, report) {
    for (const { kind, isAllowing, pointer, value } of patterns(agent)) {
      if (kind !== 'host' || !isAllowing || value.length > 255) continue
      const what = revealedBy(value)
      if (what !== undefined) report(pointer, `Host ${quoted(value)} is ${what}`)
    }
    for (const { pointer, value } of uris(agent)) {
      const host = hostOf(value)
      if (host === undefined || host === '' || host.length > 255) continue
      const what = revealedBy(host)
      if (what !== undefined) report(pointer, `Host ${quoted(host)} is ${what}`)
    }
  },
}
