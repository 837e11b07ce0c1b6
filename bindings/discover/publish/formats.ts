// Writes records in the formats of those who serve zones. Each format adds records; none removes or replaces existing
// ones.
import { readName } from '../dns/name.ts'
import type { DnsRecord } from './records.ts'

/** A zone file, commands for nsupdate, and the request bodies of two DNS hosts. */
export const DNS_FORMATS = ['zone', 'nsupdate', 'cloudflare', 'route53'] as const
export type DnsFormat = (typeof DNS_FORMATS)[number]

export interface WrittenRecords {
  readonly text: string
  /** Records that the format cannot express. */
  readonly leftOut: readonly DnsRecord[]
}

/** A private-use key of SVCB, outside of values, which are quoted. */
const PRIVATE_KEY = / key\d+=/

/**
 * Writes records for the operator of the zone.
 *
 * @example
 * writeDnsRecords(dnsRecords(metadata).records ?? [], 'zone').text
 *
 * @throws {RangeError} for an invalid format, or a record with more than one line.
 */
export function writeDnsRecords(records: readonly DnsRecord[], format: DnsFormat): WrittenRecords {
  if (!DNS_FORMATS.includes(format)) throw new RangeError(`format: expected one of ${DNS_FORMATS.join(', ')}`)
  records.forEach(checkRecord)
  const leftOut = format === 'route53' ? records.filter(hasPrivateKey) : []
  return { text: WRITERS[format](records.filter((record) => !leftOut.includes(record))), leftOut }
}

function checkRecord({ name, ttl, type, data }: DnsRecord): void {
  const isOne = readName(name) === name && Number.isInteger(ttl) && /^[A-Z]+$/.test(type)
  if (!isOne || !/^[\x20-\x7e]+$/.test(data))
    throw new RangeError(`records: ${JSON.stringify(name)} has more than one line`)
}

const hasPrivateKey = ({ type, data }: DnsRecord) =>
  type === 'SVCB' && PRIVATE_KEY.test(data.replace(/"(?:[^"\\]|\\.)*"/g, ''))

const lineOf = ({ name, ttl, type, data }: DnsRecord) => `${name}. ${ttl} IN ${type} ${data}\n`

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

const WRITERS: Readonly<Record<DnsFormat, (records: readonly DnsRecord[]) => string>> = {
  zone: (records) => records.map(lineOf).join(''),
  // One request per record: a request is for one zone, and a hosted agent has records in two.
  nsupdate: (records) => records.map((record) => `update add ${lineOf(record)}send\n`).join(''),
  cloudflare: (records) => json({ posts: records.map(cloudflareRecord) }),
  route53: (records) => json({ Changes: records.map(route53Change) }),
}

function cloudflareRecord({ name, ttl, type, data }: DnsRecord): object {
  const record = { type, name, ttl }
  const [first, second, third, fourth] = data.split(' ')
  if (type === 'TXT') return { ...record, content: data }
  if (type === 'SVCB') {
    const value = data.split(' ').slice(2).join(' ')
    return { ...record, data: { priority: Number(first), target: second, value } }
  }
  const numbers = [Number(first), Number(second), Number(third)] as const
  if (type === 'SRV') {
    const [priority, weight, port] = numbers
    return { ...record, data: { priority, weight, port, target: fourth!.replace(/(.)\.$/, '$1') } }
  }
  const [usage, selector, matching_type] = numbers
  return { ...record, data: { usage, selector, matching_type, certificate: fourth } }
}

/** CREATE fails if the set exists. UPSERT would replace it, with the TXT records of others. */
const route53Change = ({ name, ttl, type, data }: DnsRecord) => ({
  Action: 'CREATE',
  ResourceRecordSet: { Name: `${name}.`, Type: type, TTL: ttl, ResourceRecords: [{ Value: data }] },
})
