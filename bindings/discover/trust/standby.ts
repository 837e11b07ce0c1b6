// Standby hosts: if the DNS names several and one is silent, the next in its order is tried (RFC 9460 section 3, RFC
// 2782), and judged like the first.

import { FETCH_FAILED, FETCH_TIMEOUT } from '../../net/findings.ts'
import { DNS_NO_ADDRESS, DNS_NOT_HERE, SVCB_PASSED_OVER } from '../dns/findings.ts'
import type { Name } from '../dns/name.ts'
import { readSrv } from '../dns/rdata.ts'
import { portOf, targetOf } from '../dns/service.ts'
import { readSvcb } from '../dns/svcb.ts'
import { TYPES } from '../dns/types.ts'
import { TRUST_SILENT_HOST } from './findings.ts'
import { type AgentLocation, DiscoveryStopped, locate } from './locate.ts'
import type { DiscoveryContext } from './trust-report.ts'
import { type Visit, visit } from './visit.ts'

/** No address, no connection, no answer. Any answer is final: no other host is asked. */
const SILENCE = [DNS_NO_ADDRESS, FETCH_FAILED, FETCH_TIMEOUT].map(({ code }) => code)
/** Each costs three questions, and half of the remaining time. */
const MOST_SILENT = 3

/** @throws {DiscoveryStopped} the error of the last host that was tried. */
export async function visitNext(task: DiscoveryContext, first: AgentLocation, ended: DiscoveryStopped): Promise<Visit> {
  const { steps } = task.account
  const silent: string[] = []
  let located = first
  for (let fault = ended; ; ) {
    silent.push(placeOf(located))
    const mayGoOn = SILENCE.includes(fault.kind.code) && silent.length <= MOST_SILENT
    const next = mayGoOn ? await locateBesides(task, silent) : undefined
    if (next === undefined) throw fault
    task.account.warn(fault.step, `${fault.message}; the next host is tried`, TRUST_SILENT_HOST)
    steps.passed(next.fallback === undefined ? 'svcb' : 'srv', `the next: ${next.host} port ${next.port}`)
    located = next
    try {
      return await visit(task, located)
    } catch (error) {
      if (!(error instanceof DiscoveryStopped)) throw error
      fault = error
    }
  }
}

const placeOf = ({ host, port }: { readonly host: Name; readonly port: number }): string => `${host}:${port}`

/** Finds the best place that is not silent, by the records that name one. */
async function locateBesides(
  { asked, lookup }: DiscoveryContext,
  silent: readonly string[],
): Promise<AgentLocation | undefined> {
  const find = async (name: Name, type: number) => {
    const found = await lookup.find(name, type)
    const records = found.records.filter(({ rdata }) => !silent.includes(placeIn(type, rdata, found.name) ?? ''))
    // Without records it would fall back to TXT, but the DNS does have some.
    return records.length === 0 ? found : { ...found, records }
  }
  try {
    const located = await locate({ domain: asked.domain.ascii, find, draw: () => asked.lot })
    return silent.includes(placeOf(located)) ? undefined : located
  } catch (error) {
    if (error instanceof DiscoveryStopped && [SVCB_PASSED_OVER, DNS_NOT_HERE].includes(error.kind)) return undefined
    throw error
  }
}

/** The place that a record names; undefined for an alias or none. */
function placeIn(type: number, rdata: Uint8Array, owner: Name): string | undefined {
  if (type === TYPES.SRV) {
    const { target, port } = readSrv(rdata)
    return placeOf({ host: target, port })
  }
  if (type !== TYPES.SVCB) return undefined
  const record = readSvcb(rdata)
  return record.priority === 0 ? undefined : placeOf({ host: targetOf(record, owner), port: portOf(record) })
}
