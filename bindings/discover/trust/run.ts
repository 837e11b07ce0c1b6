// One discovery from the domain to the levels of trust, the same for who asks and for who replays.
import type { Document } from '../../document/document.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import type { Proof } from '../../frame/proof.ts'
import type { Steps } from '../../frame/steps.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import type { Connection, TlsVersion } from '../../net/connection.ts'
import type { Refusal } from '../../net/fetch.ts'
import { ADDRESS } from '../../net/findings.ts'
import { isLoopback, refuseAddress } from '../../net/guard.ts'
import { quoted } from '../../text/words.ts'
import { agentUri } from '../../wellknown/domain.ts'
import { otherMetadataAgent } from '../../wellknown/findings.ts'
import type { Metadata } from '../../wellknown/metadata.ts'
import { fingerprintOf, readFull } from '../../wellknown/public-key.ts'
import { METADATA_READING } from '../../wellknown/reading.ts'
import { validate } from '../../wellknown/validate.ts'
import { verify } from '../../wellknown/verify.ts'
import {
  FALLBACK,
  NO_ADDRESS,
  TLSA_HIDDEN,
  TLSA_MISMATCH,
  TLSA_NOT_SHOWN,
  TLSA_UNUSABLE,
  TXT_JOINED,
  WEAK_PATH,
} from '../dns/findings.ts'
import { worstOf } from '../dns/index-names.ts'
import { type Found, Lookup, type LookupOptions, type Quality } from '../dns/lookup.ts'
import type { Name } from '../dns/name.ts'
import { readAddress, readTlsa, type Tlsa } from '../dns/rdata.ts'
import { matchingTlsa, tlsaWords, usableTlsa } from '../dns/tlsa.ts'
import { TYPES } from '../dns/types.ts'
import type { AgentDomain } from './domain.ts'
import * as TRUST from './findings.ts'
import type { Level, Need, Reached } from './levels.ts'
import { type Answered, Ended, isOwn, type Located, locate, srvName, txtName, within } from './locate.ts'
import type { StepName } from './steps.ts'
import type { Wire } from './wire.ts'

export interface Asked extends PlatformOptions, Pick<LookupOptions, 'anchors'> {
  readonly domain: AgentDomain
  readonly need: Need
  readonly require: Level | undefined
  readonly leastTls: TlsVersion
  readonly loopback: boolean
  readonly lot: number
  readonly now: Date
}

/** An agent that was found, and that nothing speaks against. */
export interface FoundAgent {
  /** `agent:alice.example.com`. */
  readonly uri: string
  readonly host: Name
  readonly port: number
  readonly addresses: readonly string[]
  /** Of its metadata. */
  readonly url: string
  /** What an SVCB record says of its protocols. */
  readonly alpn: readonly string[]
  readonly bap: string | undefined
  readonly cap: string | undefined
  /** Of its key: as the metadata and the DNS have it, or as the DNS alone has it. */
  readonly fingerprint: string | undefined
  /** Undefined where no more than the address was needed. */
  readonly metadata: Document | undefined
}

/** Why an agent is trusted as far as it is, or not at all. */
export interface DiscoveryProof extends Proof {
  /** Each with the quality of the DNS that it stands on. */
  readonly levels: readonly Reached[]
  readonly highest: Level | undefined
  /** In words, for people. */
  readonly shows: readonly string[]
  readonly doesNotShow: readonly string[]
}

export interface Outcome {
  readonly agent: FoundAgent | undefined
  readonly levels: readonly Reached[]
  readonly shows: readonly string[]
  readonly doesNotShow: readonly string[]
}

const RANKS: readonly Quality[] = ['checked', 'resolver', 'not shown']
const MEDIA_TYPES: readonly string[] = ['application/vnd.adp+json', 'application/json']

/** Takes all steps; what ends them is one of them. */
export async function run(asked: Asked, wire: Wire, steps: Steps<StepName>): Promise<Outcome> {
  const discovery = new Run(asked, wire, steps)
  try {
    return discovery.outcome(await discovery.agent())
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    steps.failed(error.step, error.message, { rule: error.kind, pointer: error.pointer })
    return { agent: undefined, levels: [], shows: [], doesNotShow: [`an agent at ${asked.domain.ascii}`] }
  }
}

class Run {
  readonly #asked: Asked
  readonly #wire: Wire
  readonly #steps: Steps<StepName>
  readonly #lookup: Lookup
  readonly #levels: Reached[] = []
  readonly #shows: string[] = []
  readonly #doesNotShow: string[] = []

  constructor(asked: Asked, wire: Wire, steps: Steps<StepName>) {
    const { anchors, now, subtle } = asked
    this.#asked = asked
    this.#wire = wire
    this.#steps = steps
    this.#lookup = new Lookup({
      resolver: wire.resolver,
      now,
      ...(anchors !== undefined && { anchors }),
      ...(subtle !== undefined && { subtle }),
    })
  }

  outcome(agent: FoundAgent): Outcome {
    return { agent, levels: this.#levels, shows: this.#shows, doesNotShow: this.#doesNotShow }
  }

  async agent(): Promise<FoundAgent> {
    const { domain, need } = this.#asked
    const { ascii, unicode } = domain
    this.#steps.passed('domain', ascii === unicode ? ascii : `${ascii}, written ${unicode}`, { ascii, unicode })
    const located = await this.#locate()
    const found = await this.#atHost(located)
    const fingerprints = located.txt.texts.records.map(({ fingerprint }) => fingerprint)
    if (fingerprints.length > 0) this.#reach('dns-verified', located.quality, located.txt.quality)
    const { host, port, url, svcb } = located
    const { alpn = [], bap, cap } = svcb.service ?? {}
    const bare = { uri: agentUri(ascii), host, port, addresses: found.addresses, url, alpn, bap, cap }
    const read = need === 'address' ? undefined : await this.#metadata(located, found)
    const fingerprint = read === undefined ? fingerprints[0] : await this.#key(read, located, fingerprints)
    if (need === 'peer') this.#chat(read!)
    this.#sayWhatIsShown(located, fingerprint)
    this.#level()
    return { ...bare, fingerprint, metadata: read?.document }
  }

  /** Everything that may be needed is asked for in two rounds, before anything is judged. */
  async #locate(): Promise<Located> {
    const { domain, lot } = this.#asked
    const lookup = this.#lookup
    const name = domain.ascii
    const draw = () => lot
    const [svcb] = await Promise.all([
      lookup.peek({ name, type: TYPES.SVCB }),
      lookup.peek({ name: txtName(name), type: TYPES.TXT }),
      lookup.peek({ name: srvName(name), type: TYPES.SRV }),
    ])
    const guess = await locate({ domain: name, find: (at, type) => lookup.foresee(at, type), draw }).catch(
      () => undefined,
    )
    await Promise.all([lookup.prefetch(name, svcb), ...(guess === undefined ? [] : this.#foreseeHost(guess, name))])
    const located = await locate({ domain: name, find: (at, type) => lookup.find(at, type), draw })
    this.#tell(located)
    return located
  }

  #foreseeHost({ host, port }: Located, domain: Name): Promise<unknown>[] {
    const asked = [
      { name: host, type: TYPES.A },
      { name: host, type: TYPES.AAAA },
      { name: tlsaName(host, port), type: TYPES.TLSA },
    ].map((question) => this.#lookup.peek(question))
    return host === domain ? asked : [...asked, this.#lookup.prefetch(host)]
  }

  #tell({ svcb, txt, fallback, host, port, url }: Located): void {
    const steps = this.#steps
    const at = `${host} port ${port}`
    const { service } = svcb
    if (service === undefined) steps.skipped('svcb', `${svcb.name} has none; ${words(svcb)}`)
    else steps.passed('svcb', `${at}${via(svcb.aliases)}; ${words(svcb)}`, { quality: svcb.quality, host, port })
    const { records, joined } = txt.texts
    if (records.length === 0) steps.skipped('txt', `${txt.name} has none of ADP; ${words(txt)}`)
    else if (joined > 0) steps.warning('txt', `put together of ${joined} records; ${words(txt)}`, remark(TXT_JOINED))
    else steps.passed('txt', `${records.map(({ fingerprint }) => fingerprint).join(', ')}; ${words(txt)}`)
    if (fallback === undefined) return
    const { srv, record } = fallback
    if (srv === undefined) steps.skipped('srv', `${fallback.name} has none; ${words(fallback)}`)
    else if (isOwn(record.wellKnown, this.#asked.domain.ascii)) steps.passed('srv', `${at}; ${words(fallback)}`)
    else steps.skipped('srv', `not followed, for the metadata is at another host; ${words(fallback)}`)
    steps.warning('fallback', `found by TXT, at ${url}`, remark(FALLBACK))
  }

  async #atHost({ host, port }: Located): Promise<AtHost> {
    const find = (name: Name, type: number) => this.#lookup.find(name, type)
    const v4 = await within('addresses', find(host, TYPES.A))
    const v6 = await within('addresses', find(host, TYPES.AAAA))
    const addresses = [...v4.records, ...v6.records].map(({ rdata }) => readAddress(rdata))
    if (addresses.length === 0) throw new Ended('addresses', NO_ADDRESS, `${host} has no address`)
    for (const address of addresses) this.#checkAddress(host, address)
    const answered = { ...v4, quality: worstOf([v4.quality, v6.quality]) }
    this.#steps.passed('addresses', `${addresses.slice(0, 4).join(', ')}; ${words(answered)}`)
    const tlsa = await within('tlsa', find(tlsaName(host, port), TYPES.TLSA))
    const rows = await within('tlsa', (async () => tlsa.records.map(({ rdata }) => readTlsa(rdata)))())
    return { addresses, tlsa, rows, usable: tlsa.quality === 'not shown' ? [] : usableTlsa(rows) }
  }

  /** One that is not public is how a name attacks a network. */
  #checkAddress(host: Name, address: string): void {
    const why = refuseAddress(address)
    if (why === undefined || (this.#asked.loopback && isLoopback(address))) return
    throw new Ended('addresses', ADDRESS, `${host} is ${address}: ${why}`)
  }

  async #metadata(located: Located, host: AtHost): Promise<Read> {
    const { url } = located
    const checkConnection = async (connection: Connection) => this.#mismatch(located, host, connection)
    const outcome = await this.#wire.get(url, { addresses: host.addresses, checkConnection })
    if (!outcome.ok) {
      const { diagnostic } = outcome
      this.#found(diagnostic.code === TLSA_MISMATCH.code ? 'tlsa' : 'metadata', diagnostic)
    }
    const { bytes, contentType, hops } = outcome.fetched
    const connection = hops.at(-1)?.connection
    this.#tls(connection)
    await this.#tlsa(located, host, connection)
    this.#steps.passed('metadata', `${bytes.length} bytes from ${url}`)
    this.#mediaType(contentType)
    const parsed = parseAs(METADATA_READING, bytes, { file: url, format: 'json' })
    const report = validate(parsed.document ?? bytes, { file: url, format: 'json', ruleset: 'spec' })
    const fault = report.diagnostics.find(({ severity }) => severity === 'error')
    if (fault !== undefined) this.#found('valid', fault)
    this.#steps.passed('valid', 'it follows section 6.3')
    const metadata = METADATA_READING.subject(parsed.document!)
    this.#identity(metadata, url)
    await this.#proof(metadata)
    return { document: parsed.document!, metadata }
  }

  /** Ends with a finding that was made elsewhere. */
  #found(step: StepName, { code, rule, title, spec, severity, detail, source }: Diagnostic): never {
    throw new Ended(step, { code, id: rule, title, section: spec, severity }, detail, source.pointer)
  }

  async #mismatch(_: Located, { usable, tlsa }: AtHost, connection: Connection): Promise<Refusal | undefined> {
    if (usable.length === 0) return undefined
    if ((await matchingTlsa(usable, connection.certificates, this.#asked)) !== undefined) return undefined
    return { kind: TLSA_MISMATCH, detail: `the certificate is none of those that ${tlsa.name} names` }
  }

  #tls(connection: Connection | undefined): void {
    const { leastTls } = this.#asked
    if (connection === undefined) {
      this.#doesNotShow.push('the version of TLS, and the certificate: this host shows neither')
      return this.#steps.warning('tls', 'not checkable here', remark(TRUST.TLS_HIDDEN))
    }
    const { tls, isTrusted } = connection
    if (tls < leastTls) throw new Ended('tls', TRUST.OLD_TLS, `expected ${leastTls}, found ${quoted(tls)}`)
    if (!isTrusted) return this.#steps.warning('tls', `${tls}, signed by nobody but itself`, remark(TRUST.SELF_SIGNED))
    if (leastTls !== 'TLSv1.3') this.#doesNotShow.push('TLS 1.3, which the draft demands: less was allowed')
    this.#steps.passed('tls', `${tls}, a valid certificate`, { version: tls })
  }

  async #tlsa(located: Located, host: AtHost, connection: Connection | undefined): Promise<void> {
    const { tlsa, rows, usable } = host
    const steps = this.#steps
    if (rows.length === 0) return steps.skipped('tlsa', `${tlsa.name} has none; ${words(tlsa)}`)
    if (tlsa.quality === 'not shown') return steps.warning('tlsa', `not used: ${words(tlsa)}`, remark(TLSA_NOT_SHOWN))
    if (usable.length === 0) return steps.warning('tlsa', 'none of them has known numbers', remark(TLSA_UNUSABLE))
    if (connection === undefined) return steps.warning('tlsa', 'not checkable here', remark(TLSA_HIDDEN))
    // From a cache, or a trace: nobody has compared it yet.
    const mismatch = await this.#mismatch(located, host, connection)
    if (mismatch !== undefined) throw new Ended('tlsa', mismatch.kind, mismatch.detail)
    const match = await matchingTlsa(usable, connection.certificates, this.#asked)
    const detail = `${tlsaWords(match!)}; ${words(tlsa)}`
    if (RANKS.indexOf(located.quality) > RANKS.indexOf(tlsa.quality)) {
      return steps.warning('tlsa', `${detail}, and the way there is ${located.quality}`, remark(WEAK_PATH))
    }
    steps.passed('tlsa', detail, { quality: tlsa.quality })
    this.#reach('dane-verified', located.quality, tlsa.quality)
  }

  #mediaType(contentType: string): void {
    const type = contentType.split(';')[0]!.trim().toLowerCase()
    if (MEDIA_TYPES.includes(type)) return this.#steps.passed('media-type', type)
    const found = type === '' ? 'none' : quoted(type)
    this.#steps.warning('media-type', `expected ${MEDIA_TYPES[0]}, found ${found}`, remark(TRUST.MEDIA_TYPE))
  }

  /** Nothing but this domain was asked about: metadata of another one claims what nobody showed. */
  #identity({ id, domain, endpoints }: Metadata, url: string): void {
    const { ascii } = this.#asked.domain
    if (domain?.value.toLowerCase() !== ascii || id?.value.toLowerCase() !== agentUri(ascii)) {
      const found = `${quoted(id?.value ?? '')} of ${quoted(domain?.value ?? '')}`
      throw new Ended('identity', otherMetadataAgent, `expected ${agentUri(ascii)}, found ${found}`, '/identity/domain')
    }
    this.#steps.passed('identity', agentUri(ascii))
    const own = endpoints.find(({ name }) => name === 'wellKnown')!
    const place = new URL(own.value)
    if (place.href !== url && !isOwn(place, ascii)) {
      const detail = `it comes from ${url} and says that it is ${quoted(own.value)}`
      throw new Ended('place', TRUST.ELSEWHERE, detail, own.pointer)
    }
    this.#steps.passed('place', place.href === url ? 'where it says' : `hosted; it says ${quoted(place.href)}`)
  }

  async #proof({ document, proof, full }: Metadata): Promise<void> {
    if (proof === undefined || full === undefined) return this.#steps.skipped('proof', 'the metadata carries none')
    const { steps } = await verify(document, this.#asked)
    const failed = steps.find(({ outcome }) => outcome === 'failed')?.diagnostic
    if (failed !== undefined) this.#found('proof', failed)
    this.#steps.passed('proof', 'the metadata is signed with its key')
    this.#shows.push('whoever wrote the metadata has its key')
  }

  /** One of the keys that the DNS names has to be that of the metadata: while it changes there are two. */
  async #key({ metadata }: Read, located: Located, fingerprints: readonly string[]): Promise<string | undefined> {
    const { full, fingerprint } = metadata
    const own = full === undefined ? fingerprint!.value : fingerprintOf(readFull(full.value))
    if (fingerprints.length === 0) {
      this.#steps.warning('key', `${located.txt.name} names none`, remark(TRUST.NO_FINGERPRINT))
      return own
    }
    if (!fingerprints.includes(own)) {
      const detail = `the DNS names ${fingerprints.join(' and ')}, the metadata has ${own}`
      throw new Ended('key', TRUST.KEY_MISMATCH, detail, (full ?? fingerprint!).pointer)
    }
    if (full === undefined) {
      this.#steps.warning('key', 'the metadata has a fingerprint, and no key', remark(TRUST.NO_FULL_KEY))
      return own
    }
    this.#steps.passed('key', own, { fingerprint: own })
    this.#reach('key-verified', located.quality, located.txt.quality)
    return own
  }

  #chat({ metadata }: Read): void {
    const chat = metadata.endpoints.find(({ name }) => name === 'chat')
    if (chat === undefined) throw new Ended('chat', TRUST.NO_CHAT, 'the metadata has no chat endpoint', '/endpoints')
    if (!this.#has('key-verified')) throw new Ended('chat', TRUST.NO_CHAT, 'no key of the domain to speak with')
    this.#steps.passed('chat', quoted(chat.value))
  }

  #sayWhatIsShown({ host, port, quality, svcb, txt }: Located, fingerprint: string | undefined): void {
    const { ascii } = this.#asked.domain
    const shown: Readonly<Record<Quality, string>> = {
      checked: `${ascii} has its agent at ${host} port ${port}: signatures hold`,
      resolver: `${ascii} has its agent at ${host} port ${port}: so the resolver says`,
      'not shown': `${ascii} seems to have its agent at ${host} port ${port}`,
    }
    this.#shows.unshift(shown[worstOf([quality, svcb.quality])])
    if (this.#has('dane-verified')) this.#shows.push(`the certificate is the one that ${host} names in the DNS`)
    if (this.#has('key-verified')) this.#shows.push(`the key ${fingerprint} is the one that ${txt.name} names`)
    else this.#doesNotShow.push('whose key it is')
    if (quality === 'not shown') this.#doesNotShow.push('that nobody changed what the DNS says on its way')
    this.#doesNotShow.push('who answers at its endpoints: signed messages do')
  }

  #level(): void {
    const { require, need } = this.#asked
    const wanted = require ?? (need === 'address' ? 'dns-verified' : 'key-verified')
    const reached = this.#levels.map(({ level, quality }) => `${level} (${quality})`).join(', ') || 'none'
    if (this.#has(wanted)) return this.#steps.passed('level', reached)
    if (require !== undefined) throw new Ended('level', TRUST.BELOW, `expected ${require}, reached ${reached}`)
    this.#steps.unknown('level', reached, remark({ ...TRUST.BELOW, severity: 'warning' }))
  }

  #reach(level: Level, ...qualities: readonly Quality[]): void {
    this.#levels.push({ level, quality: worstOf(qualities) })
  }

  #has(level: Level): boolean {
    return this.#levels.some((reached) => reached.level === level)
  }
}

interface AtHost {
  readonly addresses: readonly string[]
  readonly tlsa: Found
  readonly rows: readonly Tlsa[]
  /** Signed, or vouched for by the resolver, and of known numbers. */
  readonly usable: readonly Tlsa[]
}

interface Read {
  readonly document: Document
  readonly metadata: Metadata
}

const tlsaName = (host: Name, port: number): Name => `_${port}._tcp.${host}`

const remark = (rule: Refusal['kind']) => ({ rule, pointer: '' })

const via = (aliases: readonly Name[]) => (aliases.length === 0 ? '' : ` by way of ${aliases.join(', ')}`)

const WORDS: Readonly<Record<Quality, string>> = {
  checked: 'DNSSEC checked',
  resolver: 'the resolver says that it checked DNSSEC',
  'not shown': 'DNSSEC not shown',
}

const words = ({ quality, why }: Pick<Answered, 'quality' | 'why'>) =>
  quality === 'not shown' && why !== undefined ? `${WORDS[quality]} (${why})` : WORDS[quality]
