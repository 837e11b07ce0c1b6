// Resolves the records of a name, with the quality of their proof.
import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { Diagnostic } from '../../document/types.ts'
import { domainIn } from '../../wellknown/identity.ts'
import { type Ds, readDs } from './dnssec/rdata.ts'
import { DnsError } from './error.ts'
import { Lookup, type LookupOptions, type Quality } from './lookup.ts'
import { type Name, readName } from './name.ts'
import { readAddressOf, readSrv, readStrings, readTarget, readTlsa, type Srv, type Tlsa } from './rdata.ts'
import { readSvcb, type Svcb } from './svcb.ts'
import { TYPES } from './types.ts'

/** The data of a record, by its type. */
export interface RecordData {
  readonly A: string
  readonly AAAA: string
  /** The strings of a record, of at most 255 bytes each. */
  readonly TXT: readonly Uint8Array[]
  readonly SRV: Srv
  readonly TLSA: Tlsa
  readonly SVCB: Svcb
  readonly HTTPS: Svcb
  readonly NS: Name
  readonly DS: Ds
}

const READERS: { readonly [Type in keyof RecordData]: (rdata: Uint8Array) => RecordData[Type] } = {
  A: (rdata) => readAddressOf(TYPES.A, rdata),
  AAAA: (rdata) => readAddressOf(TYPES.AAAA, rdata),
  TXT: readStrings,
  SRV: readSrv,
  TLSA: readTlsa,
  SVCB: readSvcb,
  HTTPS: readSvcb,
  NS: readTarget,
  DS: readDs,
}

export interface DnsAnswer<Type extends keyof RecordData> {
  readonly ok: true
  /** The name that has the records, after all aliases. */
  readonly name: Name
  readonly records: readonly RecordData[Type][]
  /** The lowest of all records, in seconds. */
  readonly ttl: number
  /** The reason for missing records: no such name, or no such type. */
  readonly absent: 'name' | 'type' | undefined
  /**
   * `checked`: signatures verify up to an anchor, also those of an absence. `resolver`: the resolver says that it
   * checked, over a channel that nobody can alter.
   */
  readonly quality: Quality
  /** The reason why it is not checked. */
  readonly why: string | undefined
  readonly aliases: readonly Name[]
}

export type DnsOutcome<Type extends keyof RecordData> =
  | DnsAnswer<Type>
  | { readonly ok: false; readonly diagnostic: Diagnostic }

/** Characters that a name writes in another form, after xn--. */
const BEYOND_ASCII = /[^\0-\x7f]/

/**
 * Resolves the records of a name. Verifies signatures itself, from the anchor down, regardless of the resolver's
 * verdict. Refuses an unsigned answer from a signed zone.
 *
 * @example
 * const answer = await resolveDns('alice.example.com', 'SVCB', { resolver: dohResolver('https://dns.example/dns-query') })
 * if (answer.ok) answer.records[0]?.target, answer.quality // '.', 'checked'
 */
export async function resolveDns<Type extends keyof RecordData>(
  name: string,
  type: Type,
  options: LookupOptions,
): Promise<DnsOutcome<Type>> {
  try {
    const wanted = readName(BEYOND_ASCII.test(name) ? (domainIn(name) ?? name) : name)
    const lookup = new Lookup(options)
    const { records, ...found } = await lookup.find(wanted, TYPES[type])
    const read = READERS[type]
    return {
      ok: true,
      name: found.name,
      records: records.map(({ rdata }) => read(rdata)),
      ttl: records.reduce((least, { ttl }) => Math.min(least, ttl), records[0]?.ttl ?? 0),
      absent: found.absent,
      quality: found.quality,
      why: found.why,
      aliases: found.aliases,
    }
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return { ok: false, diagnostic: diagnoseNowhere(error.kind, { detail: error.message }, name) }
  }
}
