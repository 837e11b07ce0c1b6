// Zones with NSEC and NSEC3 denials, questions about them, and lies made of records that the zones really signed.
import { readNsec, readNsec3 } from '../../../../bindings/discover/dns/dnssec/rdata.ts'
import { Lookup } from '../../../../bindings/discover/dns/lookup.ts'
import {
  type Question,
  type ResourceRecord,
  readRrsig,
  TYPES,
  type TypeName,
  typeName,
} from '../../../../bindings/discover/dns/message.ts'
import { parentOf } from '../../../../bindings/discover/dns/name.ts'
import { udpResolver } from '../../../../bindings/node/dns.ts'
import { type DnsLab, startDns, type Verdict, type Zone } from '../../../support/dns-lab.ts'
import { type Liar, type Sections, startLiar } from '../../../support/dns-liar.ts'

const TLSA = '3 1 1 0000000000000000000000000000000000000000000000000000000000000000'
const AGENT = [
  'alice SVCB 1 . alpn="a2a,h2" port=8443 key65402="a2a"\nalice A 192.0.2.7',
  `_443._tcp.alice TLSA ${TLSA}`,
  '*.wild TXT "any"\nreal.wild TXT "own"\n*.cwild CNAME alice',
  'alias CNAME alice\ngone CNAME nobody\na.tree TXT "leaf"\nmoved DNAME tree',
].join('\n')

const zone = (name: string, nsec3?: readonly string[], records = AGENT): Zone => ({
  name,
  records,
  algorithm: 'ECDSAP256SHA256',
  ...(nsec3 && { nsec3 }),
})
const unsigned = (name: string): Zone => ({ name, records: AGENT })

/** A delegation whose parent is an empty non-terminal: in an opt-out zone neither has a record. */
const REMOTE = `${AGENT}\nfar.remote NS ns.other.`

const ZONES: readonly Zone[] = [
  zone('.', undefined, ''),
  zone('test', ['aabbccdd'], '*.any TXT "any"'),
  zone('other', undefined, ''),
  zone('plain.test'),
  zone('hashed.test', ['aabbccdd', '-H', '12'], REMOTE),
  zone('inner.hashed.test', ['-']),
  unsigned('open.hashed.test'),
  zone('optout.test', ['beef', '-H', '1', '-A'], REMOTE),
  zone('signed.optout.test', ['-']),
  unsigned('unsigned.optout.test'),
  zone('hundred.test', ['-', '-H', '100']),
  zone('costly.test', ['-', '-H', '101']),
  zone('signed.costly.test', ['-']),
  zone('limit.test', ['-', '-H', '150']),
  zone('hashed.other', ['00112233445566778899']),
]

/**
 * Where Blazon reports unsigned, whatever delv says: in an opt-out span (RFC 5155 section 9.2), with 101 to 150
 * iterations, and in an unsigned zone. There delv refuses answers without a SOA record.
 */
const LESS_TRUSTED = [
  'open.hashed.test',
  'optout.test',
  'unsigned.optout.test',
  'costly.test',
  'signed.costly.test',
  'limit.test',
]

const NAMES: readonly (readonly [label: string, types: readonly TypeName[]])[] = [
  ['', ['TLSA', 'DS', 'SVCB']],
  ['alice', ['SVCB', 'SRV', 'DS']],
  ['_443._tcp.alice', ['TLSA', 'TXT']],
  ['_tcp.alice', ['TLSA']],
  ['_444._tcp.alice', ['TLSA']],
  ['nobody', ['SVCB', 'DS']],
  ['a.b.nobody', ['A']],
  ['x.wild', ['TXT', 'A']],
  ['x.y.wild', ['TXT', 'DS']],
  ['real.wild', ['TXT', 'A']],
  ['x.cwild', ['A', 'TXT']],
  ['alias', ['A', 'TLSA']],
  ['gone', ['A']],
  ['tree', ['A']],
  ['a.moved', ['TXT', 'A']],
  ['nobody.moved', ['TXT']],
  ['moved', ['DS']],
  ['far.remote', ['DS']],
  ['remote', ['DS']],
]

export interface Asked extends Question {
  readonly zone: string
}

const questionsOf = (zone: string): Asked[] =>
  NAMES.flatMap(([label, types]) =>
    types.map((type) => ({ zone, name: label === '' ? zone : `${label}.${zone}`, type: TYPES[type] })),
  )

/** Every question about every zone. */
export const QUESTIONS: readonly Asked[] = ZONES.map(({ name }) => name)
  .filter((name) => name.includes('.') && name !== '.')
  .flatMap(questionsOf)

/** A set of records with its signatures, which is all that an attacker can repeat. */
type SignedSet = readonly ResourceRecord[]

export interface Lie {
  readonly title: string
  readonly asked: Asked
  /** The answers to questions, each by type and name. */
  readonly says: ReadonlyMap<string, Sections>
  /** True if it denies a record that does not exist. */
  readonly isTrue: boolean
}

/** A question, and what it is answered; honestly without a lie. */
export interface Case {
  readonly asked: Asked
  readonly lie?: Lie
}

export interface Verdicts {
  readonly delv: Verdict
  readonly blazon: Verdict
  /** The reason for Blazon's verdict. */
  readonly detail: string
}

/** True if both agree, or differ as expected. */
export function areExpected({ delv, blazon }: Verdicts, { zone, type }: Asked, lie?: Lie): boolean {
  if (delv === blazon || (blazon === 'unsigned' && LESS_TRUSTED.includes(zone))) return true
  // delv refuses "no such record" for a DS if the proof is for "no such name", and any proof with the other response code,
  // which nothing signs. What Blazon says is true in both cases.
  const isStrict = type === TYPES.DS || lie?.title.startsWith('the other response code')
  return isStrict === true && blazon === 'validated' && lie?.isTrue === true
}

export interface LieLab {
  /** Makes a lie from true records. */
  makeLie(random: () => number): Promise<Lie>
  /** The verdicts of delv and Blazon on each case, from the same answers. */
  verdicts(cases: readonly Case[]): Promise<Verdicts[]>
  close(): Promise<void>
}

/** delv asks again for a second before it gives up, so several cases are judged at once, each by a liar of its own. */
const LIARS = 6

const keyOf = ({ name, type }: Question) => `${type} ${name}`
const DENYING: readonly number[] = [TYPES.NSEC, TYPES.NSEC3]

export async function startLieLab(): Promise<LieLab> {
  const lab = await startDns(ZONES)
  const liars = await Promise.all(Array.from({ length: LIARS }, () => startLiar(lab.port)))
  return {
    makeLie: (random) => makeLie(liars[0]!, random),
    verdicts: async (cases) => {
      const verdicts: Verdicts[] = []
      // The liars share one iterator, so each takes the next case when it is free.
      const waiting = cases.entries()
      const judgeNext = async (liar: Liar) => {
        for (const [i, { asked, lie }] of waiting) {
          liar.tell((question) => lie?.says.get(keyOf(question)))
          const delv = await lab.delvBy(liar.port, asked.name, typeName(asked.type))
          verdicts[i] = { delv, ...(await judge(lab, liar, asked)) }
        }
      }
      await Promise.all(liars.map(judgeNext))
      return verdicts
    },
    close: async () => {
      await Promise.all(liars.map((liar) => liar.close()))
      await lab.close()
    },
  }
}

async function judge({ anchors }: DnsLab, { port }: Liar, { name, type }: Asked) {
  const lookup = new Lookup({ resolver: udpResolver({ address: '127.0.0.1', port }), anchors })
  return lookup.find(name, type).then(
    ({ quality, why }): { blazon: Verdict; detail: string } =>
      quality === 'checked' ? { blazon: 'validated', detail: '' } : { blazon: 'unsigned', detail: why ?? '' },
    (error): { blazon: Verdict; detail: string } => {
      if (!/^DNS-1(0[15]|1\d)$/.test(error.kind?.code)) throw error
      return { blazon: 'failed', detail: `${error.kind.code} ${error.message}` }
    },
  )
}

/** The signed sets of a section, with their signatures. */
function setsOf(section: readonly ResourceRecord[], types: readonly number[]): SignedSet[] {
  const owners = section.filter(({ type }) => types.includes(type))
  const keys = [...new Set(owners.map(keyOf))]
  return keys.map((key) => [
    ...owners.filter((record) => keyOf(record) === key),
    ...section.filter(
      (record) =>
        record.type === TYPES.RRSIG && keyOf({ name: record.name, type: readRrsig(record.rdata).covers }) === key,
    ),
  ])
}

const without = (section: readonly ResourceRecord[], type: number) => section.filter((record) => record.type !== type)

/** A lie of one of several kinds about a question, or about the DS of a zone above the name. */
async function makeLie(liar: Liar, random: () => number): Promise<Lie> {
  const below = (count: number) => Math.floor(random() * count)
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
  const asked = oneOf(QUESTIONS)
  const truth = await liar.ask(asked)
  const other = oneOf(QUESTIONS)
  const near = oneOf(QUESTIONS.filter(({ zone }) => zone === asked.zone || zone === parentOf(asked.zone)))
  const denialsOf = async (question: Question) => setsOf((await liar.ask(question)).authorities, DENYING)
  const soa = setsOf((await liar.ask({ name: `nobody.${asked.zone}`, type: TYPES.A })).authorities, [TYPES.SOA]).flat()
  const rcode = below(2) * 3
  const forged: ResourceRecord = {
    name: asked.name,
    type: asked.type,
    class: 1,
    ttl: 60,
    rdata: Uint8Array.of(1, 0x61),
  }
  const unsigned: Sections = { rcode: 0, answers: [{ ...forged, type: TYPES.TXT }], authorities: [] }

  const kinds: Readonly<Record<string, () => Promise<Sections>>> = {
    'no records at all': async () => ({ rcode, answers: [], authorities: [] }),
    'the SOA alone': async () => ({ rcode, answers: [], authorities: soa }),
    // Signed records count whatever the response code; delv refuses them.
    'the other response code': async () => ({ ...truth, answers: [], rcode: truth.rcode === 0 ? 3 : 0 }),
    'no signatures': async () => ({
      rcode: truth.rcode,
      answers: without(truth.answers, TYPES.RRSIG),
      authorities: without(truth.authorities, TYPES.RRSIG),
    }),
    'one denial less': async () => {
      const sets = setsOf(truth.authorities, DENYING)
      const left = below(Math.max(1, sets.length))
      return { ...truth, authorities: [...soa, ...sets.filter((_, i) => i !== left).flat()] }
    },
    'the denials of another name of the zone or the zone above': async () => ({
      ...{ rcode, answers: [] },
      authorities: [...soa, ...(await denialsOf(near)).flat()],
    }),
    'the denials of any name': async () => ({
      ...{ rcode, answers: [] },
      authorities: [...soa, ...(await denialsOf(other)).flat()],
    }),
    'denials of several names, mixed': async () => {
      const sources = [asked, near, near, other, oneOf(QUESTIONS)]
      const sets = (await Promise.all(sources.map(denialsOf))).flat()
      const some = [...new Map(sets.map((set) => [keyOf(set[0]!), set])).values()].filter(() => random() < 0.6)
      return { rcode, answers: [], authorities: [...soa, ...some.slice(0, 8).flat()] }
    },
    'a wildcard for another name': async () => {
      const wild = await liar.ask({ name: `x.wild.${asked.zone}`, type: TYPES.TXT })
      const moved = wild.answers.map((record) => ({ ...record, name: asked.name }))
      const proof = oneOf([wild.authorities, (await denialsOf(near)).flat(), (await denialsOf(other)).flat()])
      return { rcode: 0, answers: moved, authorities: proof }
    },
    'an answer with the denials of another name': async () => ({
      ...truth,
      // delv refuses a denial without an SOA, whatever it proves.
      authorities: [...(truth.answers.length === 0 ? soa : []), ...(await denialsOf(near)).flat()],
    }),
    'a changed denial': async () => {
      const sets = setsOf(truth.authorities, DENYING)
      const chosen = below(Math.max(1, sets.length))
      const changed = sets.map((set, i) =>
        i !== chosen ? set : set.map((record) => (DENYING.includes(record.type) ? bent(record, below) : record)),
      )
      return { ...truth, authorities: [...soa, ...changed.flat()] }
    },
  }
  const kind = oneOf(Object.keys(kinds))
  const said = await kinds[kind]!()
  // Half of the lies are about the zone's DS, together with an unsigned answer.
  const cut = oneOf([asked.zone, asked.name])
  if (random() < 0.5) {
    const target = { name: cut, type: TYPES.DS }
    const aboutDs = kind.startsWith('a wildcard') ? { ...said, answers: [] } : said
    const says = new Map([[keyOf(target), aboutDs]])
    const final = { ...asked, type: TYPES.TXT }
    says.set(keyOf(final), unsigned)
    return { title: `${kind}, as the answer to ${cut} DS; ${final.name} TXT forged`, asked: final, says, isTrue: false }
  }
  return {
    title: `${kind}, as the answer to ${asked.name} ${typeName(asked.type)}`,
    asked,
    says: new Map([[keyOf(asked), said]]),
    isTrue: said.answers.length + truth.answers.length === 0,
  }
}

/**
 * A record with one bit of its first eight bytes changed: algorithm, flags, iterations, salt. It must stay readable:
 * delv refuses a whole message for a label of an unknown type, even if nothing depends on the record.
 */
function bent(record: ResourceRecord, below: (count: number) => number): ResourceRecord {
  const read = record.type === TYPES.NSEC ? readNsec : readNsec3
  for (;;) {
    const rdata = record.rdata.slice()
    rdata[below(Math.min(8, rdata.length))]! ^= 1 << below(8)
    try {
      read(rdata)
      return { ...record, rdata }
    } catch {}
  }
}
