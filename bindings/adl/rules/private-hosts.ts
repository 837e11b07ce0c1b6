import type { Rule } from '../../frame/rule.ts'
import { hostOf, revealedBy } from '../../text/private-host.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { PRIVATE_HOST } from '../findings.ts'
import { patterns, uris } from '../places.ts'

export const privateHosts: Rule<Agent> = {
  ...PRIVATE_HOST,
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
