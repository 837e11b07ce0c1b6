// Asks questions and judges the answers. A `Lookup` is for one moment: it asks each question once, within a limit, and
// judges everything by the same time.

import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { Diagnostic } from '../../document/types.ts'
import { encodeBase64url } from '../../keys/base64.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import { anonymous, deadline, readAtMost } from '../../net/deadline.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { isLoopback } from '../../net/guard.ts'
import { checkedNow } from '../../text/moment.ts'
import { domainIn } from '../../wellknown/identity.ts'
import type { Chain, ChainOptions, ChainVerdict, Flaw } from './dnssec/chain.ts'
import type { TrustAnchors } from './dnssec/rdata.ts'
import * as FINDINGS from './findings.ts'
import { DNS_NO_ANSWER, DNS_RESOLVER } from './findings.ts'
import {
  CLASS_IN,
  type DnsMessage,
  type Ds,
  decodeMessage,
  encodeQuestion,
  type Question,
  RCODES,
  type ResourceRecord,
  rcodeName,
  readAddressOf,
  readDs,
  readRrsig,
  readSrv,
  readStrings,
  readTarget,
  readTlsa,
  type Srv,
  type Tlsa,
  TYPES,
  typeName,
} from './message.ts'
import { DnsError, isWithin, labelsOf, type Name, ROOT, readName, unreachable } from './name.ts'
import { type Rrset, rrsetOf } from './rrset.ts'
import { readSvcb, type Svcb } from './svcb.ts'

/** Sends a question to a resolver and returns the answer. */
export interface Resolver {
  (question: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<Uint8Array>
  /** True if nobody can change an answer in transit: over TLS, or on this machine. Only then the AD bit counts. */
  readonly isPrivate: boolean
}

export interface LookupOptions extends PlatformOptions {
  readonly resolver: Resolver
  /** Default: IANA's keys of the root. */
  readonly anchors?: TrustAnchors
  /** Default: the platform's. */
  readonly now?: Date
  readonly signal?: AbortSignal
  /** Called with each question and its answer. */
  readonly onAnswer?: (question: Question, answer: Uint8Array) => void
}

/**
 * `checked`: signatures verify up to an anchor. `resolver`: the resolver says that it checked, over a channel that
 * nobody can change, and no signature proves that the zone is unsigned.
 */
export type Quality = 'checked' | 'resolver' | 'not shown'

export interface LookupResult {
  /** The name that has the records, after all aliases. */
  readonly name: Name
  readonly type: number
  /** Empty if no record exists; then `absent` says why. */
  readonly records: readonly ResourceRecord[]
  readonly absent: 'name' | 'type' | undefined
  readonly quality: Quality
  /** The reason why it is not checked. */
  readonly why: string | undefined
  /** The setting that keeps a signed zone from proving it; undefined if there is another reason. */
  readonly flaw: Flaw | undefined
  readonly aliases: readonly Name[]
}

const FORESEEN: ChainVerdict = { checked: false, why: 'not judged' }

export const MOST_ALIASES = 8
const MOST_QUESTIONS = 64
/** Without the questions for chains of signatures. */
const MOST_OF_NAMES = 24
const OF_CHAINS: readonly number[] = [TYPES.DS, TYPES.DNSKEY]

export class Lookup {
  readonly #options: LookupOptions & ChainOptions
  readonly #asked = new Map<string, Promise<DnsMessage>>()
  readonly #found = new Map<string, Promise<LookupResult>>()
  #chain: Promise<Chain> | undefined
  #ofNames = 0

  constructor(options: LookupOptions) {
    this.#options = { ...options, now: checkedNow(options.now) }
  }

  /**
   * Finds the records of a name and type, after its aliases.
   *
   * @throws {DnsError} if the answer is missing, unreadable, or may not be believed.
   */
  find(name: Name, type: number): Promise<LookupResult> {
    const key = `${type} ${name}`
    const found = this.#found.get(key) ?? this.#walk(name, type, (judge) => judge())
    this.#found.set(key, found)
    return found
  }

  /** Starts to judge later questions now, in parallel: the platform verifies several signatures at a time. */
  prejudge(questions: readonly Question[]): void {
    for (const { name, type } of questions) this.find(name, type).catch(() => {})
  }

  /** Like `find`, but unverified: enough to know what to ask next, but not to act on. */
  async foresee(name: Name, type: number): Promise<LookupResult> {
    return this.#walk(name, type, async () => FORESEEN)
  }

  async #walk(
    name: Name,
    type: number,
    shown: (judge: () => Promise<ChainVerdict>) => Promise<ChainVerdict>,
  ): Promise<LookupResult> {
    const aliases: Name[] = []
    const judgements: { shown: ChainVerdict; message: DnsMessage }[] = []
    let at = name
    let message = await this.#ask({ name, type })
    for (;;) {
      const set = rrsetOf(message.answers, at, type)
      const judge = async (judging: () => Promise<ChainVerdict>) =>
        judgements.push({ shown: await shown(judging), message })
      if (set !== undefined) {
        await judge(async () => (await this.#judges()).judge(set, message.authorities))
        return { name: at, type, records: set.records, absent: undefined, aliases, ...this.#quality(judgements) }
      }
      const alias = aliasIn(at, message)
      if (alias !== undefined) {
        await judge(async () => (await this.#judges()).judge(alias.set, message.authorities))
        aliases.push(at)
        at = alias.target
        if (aliases.includes(at)) throw new DnsError(FINDINGS.DNS_ALIASES, `${name}: its aliases lead back to ${at}`)
        if (aliases.length > MOST_ALIASES)
          throw new DnsError(FINDINGS.DNS_ALIASES, `${name}: more than ${MOST_ALIASES} aliases`)
        const isThere = message.answers.some((record) => record.name === at)
        if (!isThere) message = await this.#ask({ name: at, type })
        continue
      }
      await judge(async () => (await this.#judges()).judgeAbsence({ name: at, type }, message))
      const absent = message.rcode === RCODES.NXDOMAIN ? 'name' : 'type'
      return { name: at, type, records: [], absent, aliases, ...this.#quality(judgements) }
    }
  }

  /**
   * Returns an unverified answer: enough to know what to ask next, but not to act on. Undefined without an answer;
   * `find` then reports why.
   */
  async peek(question: Question): Promise<DnsMessage | undefined> {
    return this.#ask(question).catch(() => undefined)
  }

  /**
   * Requests what the chain to a name will need, in parallel: the keys of the zones that signed the answer, or of all
   * zones that may contain the name.
   */
  async prefetch(name: Name, message?: DnsMessage): Promise<void> {
    const signer = message && signerOf(message)
    const labels = labelsOf(signer ?? name)
    const questions: Question[] = [{ name: ROOT, type: TYPES.DNSKEY }]
    for (let i = labels.length - 1; i >= 0; i--) {
      const zone = labels.slice(i).join('.')
      questions.push({ name: zone, type: TYPES.DS }, { name: zone, type: TYPES.DNSKEY })
    }
    await Promise.all(questions.map((question) => this.peek(question)))
  }

  /** Loads DNSSEC with the first signatures, so that applications start without it. */
  #judges(): Promise<Chain> {
    this.#chain ??= import('./dnssec/chain.ts').then(
      ({ Chain }) => new Chain((question) => this.#ask(question), this.#options),
    )
    return this.#chain
  }

  /** The worst quality of all answers that led to this one. */
  #quality(
    judgements: readonly { shown: ChainVerdict; message: DnsMessage }[],
  ): Pick<LookupResult, 'quality' | 'why' | 'flaw'> {
    const open = judgements.filter(({ shown }) => !shown.checked)
    if (open.length === 0) return { quality: 'checked', why: undefined, flaw: undefined }
    const why = open.map(({ shown }) => (shown.checked ? '' : shown.why)).join('; ')
    const isSaid =
      this.#options.resolver.isPrivate &&
      open.every(({ shown, message }) => message.isAuthentic && !(shown.checked || shown.isUnsigned))
    const flaws = open.map(({ shown }) => (shown.checked ? undefined : shown.flaw))
    return { quality: isSaid ? 'resolver' : 'not shown', why, flaw: flaws.includes(undefined) ? undefined : flaws[0] }
  }

  #ask(question: Question): Promise<DnsMessage> {
    const key = `${question.type} ${question.name}`
    const known = this.#asked.get(key)
    if (known !== undefined) return known
    const ofNames = OF_CHAINS.includes(question.type) ? 0 : ++this.#ofNames
    const most = ofNames > MOST_OF_NAMES ? MOST_OF_NAMES : MOST_QUESTIONS
    if (this.#asked.size >= MOST_QUESTIONS || ofNames > MOST_OF_NAMES) {
      return Promise.reject(
        new DnsError(FINDINGS.DNS_QUESTIONS, `${questionText(question)}: more than ${most} questions`),
      )
    }
    const answer = this.#send(question)
    this.#asked.set(key, answer)
    return answer
  }

  async #send(question: Question): Promise<DnsMessage> {
    const { resolver, signal, onAnswer } = this.#options
    const bytes = await answerOf(resolver, question, signal)
    onAnswer?.(question, bytes)
    const message = decodeMessage(bytes)
    const [asked] = message.questions
    const isSame =
      message.isAnswer &&
      message.questions.length === 1 &&
      asked?.name === question.name &&
      asked.type === question.type
    if (!isSame || asked.class !== CLASS_IN)
      throw new DnsError(FINDINGS.DNS_OTHER_QUESTION, `${questionText(question)}: the answer is to another question`)
    // No fallback: an attacker who makes a resolver fail could choose the weaker path for us.
    const isAnswered = message.rcode === RCODES.NOERROR || message.rcode === RCODES.NXDOMAIN
    if (!isAnswered)
      throw new DnsError(
        FINDINGS.DNS_REFUSED,
        `${questionText(question)}: the resolver answers ${rcodeName(message.rcode)}`,
      )
    if (message.isTruncated)
      throw new DnsError(FINDINGS.DNS_REFUSED, `${questionText(question)}: the answer is cut off`)
    return message
  }
}

/** Asks a resolver. A caller's own resolver may throw other errors than ours. */
async function answerOf(resolver: Resolver, question: Question, signal: AbortSignal | undefined): Promise<Uint8Array> {
  try {
    return await resolver(encodeQuestion(question), signal)
  } catch (error) {
    if (error instanceof DnsError || signal?.aborted) throw error
    throw new DnsError(
      FINDINGS.DNS_RESOLVER,
      `${questionText(question)}: ${error instanceof Error ? error.message : 'the resolver failed'}`,
    )
  }
}

/** Finds the target of an alias: of one name (CNAME), or of a tree (DNAME, RFC 6672), whose CNAMEs are unsigned. */
function aliasIn(at: Name, { answers }: DnsMessage): { readonly target: Name; readonly set: Rrset } | undefined {
  const tree = answers.find(({ type, name }) => type === TYPES.DNAME && name !== at && isWithin(at, name))
  if (tree !== undefined) {
    const kept = labelsOf(at).slice(0, labelsOf(at).length - labelsOf(tree.name).length)
    const target = [...kept, ...labelsOf(readTarget(tree.rdata))].join('.')
    return { target, set: rrsetOf(answers, tree.name, TYPES.DNAME)! }
  }
  const set = rrsetOf(answers, at, TYPES.CNAME)
  if (set === undefined) return undefined
  if (set.records.length > 1) throw new DnsError(FINDINGS.DNS_ALIASES, `${at}: more than one alias`)
  return { target: readTarget(set.records[0]!.rdata), set }
}

/** The zone that claims to have signed an answer; undefined for no zone or several. */
function signerOf({ answers, authorities }: DnsMessage): Name | undefined {
  const signatures = [...answers, ...authorities].filter(({ type }) => type === TYPES.RRSIG)
  const signers = new Set(signatures.map(({ rdata }) => readRrsig(rdata).signer))
  return signers.size === 1 ? [...signers][0] : undefined
}

const questionText = ({ name, type }: Question) => `${name} ${typeName(type)}`

// Resolves the records of a name, with the quality of their proof.

export declare namespace resolveDns {
  type Result<Type extends keyof RecordData> = DnsAnswer<Type> | { readonly ok: false; readonly diagnostic: Diagnostic }

  /** The data of a record, by its type. */
  interface RecordData {
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
}

const READERS: { readonly [Type in keyof resolveDns.RecordData]: (rdata: Uint8Array) => resolveDns.RecordData[Type] } =
  {
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

export interface DnsAnswer<Type extends keyof resolveDns.RecordData> {
  readonly ok: true
  /** The name that has the records, after all aliases. */
  readonly name: Name
  readonly records: readonly resolveDns.RecordData[Type][]
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
export async function resolveDns<Type extends keyof resolveDns.RecordData>(
  name: string,
  type: Type,
  options: LookupOptions,
): Promise<resolveDns.Result<Type>> {
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

// DNS over HTTPS (RFC 8484) with GET, which works in every host: some servers do not answer preflight requests.

const MEDIA_TYPE = 'application/dns-message'
const LARGEST = 65_535
const PATIENCE_MS = 5_000

export declare namespace dohResolver {
  interface Options {
    /** Default: the platform's. */
    readonly fetch?: GuardedFetch
    /** For one try; default 5,000. */
    readonly timeoutMs?: number
    /** How often an unanswered question is repeated; default 1. */
    readonly retries?: number
  }
}

/**
 * A resolver over HTTPS, or over HTTP on this machine.
 *
 * @example
 * const resolver = dohResolver('https://dns.example/dns-query')
 *
 * @throws {TypeError} for another URL.
 */
export function dohResolver(url: string, options: dohResolver.Options = {}): Resolver {
  const { fetch = globalThis.fetch as GuardedFetch, timeoutMs = PATIENCE_MS, retries = 1 } = options
  const base = URL.canParse(url) ? new URL(url) : undefined
  const isUsable = base?.protocol === 'https:' || (base?.protocol === 'http:' && isLoopback(base.hostname))
  if (base === undefined || !isUsable)
    throw new TypeError(`resolver: expected an https URL, got ${JSON.stringify(url)}`)
  const once = async (question: Uint8Array, signal: AbortSignal | undefined) => {
    const to = new URL(base)
    to.searchParams.set('dns', encodeBase64url(question))
    const late = deadline(timeoutMs, signal)
    try {
      const response = await fetch(to.href, {
        headers: { accept: MEDIA_TYPE },
        redirect: 'manual',
        ...anonymous(),
        signal: late.signal,
      })
      const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
      if (response.status !== 200 || type !== MEDIA_TYPE) {
        await response.body?.cancel()
        throw new DnsError(DNS_RESOLVER, `it answers ${response.status} ${type ?? 'of no type'}, not ${MEDIA_TYPE}`)
      }
      const bytes = await readAtMost(response, LARGEST)
      if (bytes === undefined) throw new DnsError(DNS_RESOLVER, `the answer has more than ${LARGEST} bytes`)
      return bytes
    } catch (error) {
      if (error instanceof DnsError || signal?.aborted) throw error
      if (late.isOver()) throw new DnsError(DNS_NO_ANSWER, `no answer within ${timeoutMs} ms`)
      throw new DnsError(DNS_RESOLVER, unreachable(error))
    } finally {
      late.end()
    }
  }
  return Object.assign(retrying(once, retries), { isPrivate: true })
}

type Once = (question: Uint8Array<ArrayBuffer>, signal: AbortSignal | undefined) => Promise<Uint8Array>

/** Repeats an unanswered question. A wrong answer is final. */
export function retrying(once: Once, retries: number): Once {
  return async (question, signal) => {
    for (let again = retries; ; again--) {
      try {
        return await once(question, signal)
      } catch (error) {
        const isSilence = error instanceof DnsError && error.kind === DNS_NO_ANSWER
        if (!isSilence || again <= 0) throw error
      }
    }
  }
}
