// Numbers from IANA's registry of DNS parameters, as far as this package reads them.

export const TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
} as const

export type TypeName = keyof typeof TYPES

const NAMES = new Map<number, string>(Object.entries(TYPES).map(([name, number]) => [number, name]))

/** The name of a type, or its number in the form of RFC 3597 section 5. */
export const typeName = (type: number): string => NAMES.get(type) ?? `TYPE${type}`

export const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const

const RCODE_NAMES = new Map<number, string>(Object.entries(RCODES).map(([name, number]) => [number, name]))

export const rcodeName = (rcode: number): string => RCODE_NAMES.get(rcode) ?? `RCODE${rcode}`

export const CLASS_IN = 1
