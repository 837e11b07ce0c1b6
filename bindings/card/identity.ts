// Finds the key that a card is verified with (Agent Card section 3.2: "derived from the agent:// URI"). A plain name
// holds no key, so the sources are asked in order, the most trusted first. The first one with a key decides; the proof
// lists each.

import { CARD_OTHER_ID } from '../frame/findings.ts'
import type { KeyResolver } from '../frame/source.ts'
import type { Steps } from '../frame/steps.ts'
import { KeyError } from '../keys/base64.ts'
import { importKey } from '../keys/import.ts'
import { isSameKey, type Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { visible } from '../text/hidden.ts'
import { messageOf, quoted } from '../text/words.ts'
import { keyOfName, type NamedKey, readAgentUri } from './agent-uri.ts'
import { CARD_KEY_ABSENT, CARD_SELF_ASSERTED } from './findings.ts'
import type { Card } from './subject.ts'

/** The hint for a name that is not a key. */
const WAYS_TO_A_KEY =
  'an id that is the key needs nothing else: blazon init --kind card --key KEY writes it, blazon keygen tells it; who knows the public key verifies with blazon verify --key'

/**
 * Looks an id up in the Agent Name System. Returns peer ids (libp2p), multibase keys or did:keys of the peers that own
 * the name, from a Name Record that the resolver itself has verified. Undefined for an unknown name.
 */
export type AnsResolver = (id: string) => readonly string[] | undefined | Promise<readonly string[] | undefined>

/** The source of a key. `did` is the card itself, so such a key does not prove who owns the card. */
export type CardKeyOrigin = 'caller' | 'resolver' | 'authority' | 'ans' | 'did'

export interface CardKeySources {
  /** Keys that the caller trusts for this card. If given, no other source counts. */
  readonly pinned: readonly Key[] | undefined
  readonly resolver: KeyResolver | undefined
  readonly ans: AnsResolver | undefined
  /** Accepts a did:key in the card, as self-asserted. */
  readonly selfAsserted: boolean
  readonly subtle: Subtle
}

export interface CardKeySet {
  readonly origin: CardKeyOrigin
  readonly keys: readonly Key[]
}

/** The answer of a source: keys, or the reason that it has none. `odd` means that it should have had one. */
type Answer = { readonly keys: readonly Key[]; readonly words: string } | Silence

interface Silence {
  readonly none: string
  readonly odd?: true
}

type Source = (card: Card, sources: CardKeySources) => Answer | Promise<Answer>

/** A name may belong to several peers. Bounds the number of keys to try. */
const MOST_KEYS = 16

const SOURCES: readonly (readonly [CardKeyOrigin, Source])[] = [
  ['caller', fromCaller],
  ['resolver', fromResolver],
  ['authority', fromAuthority],
  ['ans', fromAns],
  ['did', fromDid],
]

/** Returns the keys to verify a card with. Without any, returns undefined and adds a step that says why. */
export async function findCardKeys(
  card: Card,
  sources: CardKeySources,
  steps: CardSteps,
): Promise<CardKeySet | undefined> {
  let found: { readonly origin: CardKeyOrigin; readonly keys: readonly Key[]; readonly words: string } | undefined
  for (const [origin, ask] of SOURCES) {
    if (found !== undefined) {
      steps.skipped(`key-${origin}`, 'not asked')
      continue
    }
    const answer = await ask(card, sources)
    if ('keys' in answer) {
      steps.passed(`key-${origin}`, answer.words)
      found = { origin, ...answer }
    } else if (answer.odd) {
      steps.warning(`key-${origin}`, answer.none)
      // The later sources could contradict the caller's resolver. Without its answer, they are not trusted.
      if (origin === 'resolver') found = { origin, keys: [], words: answer.none }
    } else steps.skipped(`key-${origin}`, answer.none)
  }
  const remark = { rule: CARD_KEY_ABSENT, pointer: card.id === undefined ? '' : '/id', fix: { hint: WAYS_TO_A_KEY } }
  if (found === undefined) {
    const detail = 'no key: no source knows one for this id'
    return steps.unknown('key', detail, remark)
  }
  const keys = found.keys.filter(({ algorithms }) => algorithms.includes('Ed25519')).slice(0, MOST_KEYS)
  if (keys.length === 0) {
    const others = found.keys.length === 0 ? '' : ', none of them for Ed25519'
    return steps.unknown('key', `no key: ${found.words}${others}`, remark)
  }
  steps.passed('key', found.words, { origin: found.origin })
  return { origin: found.origin, keys }
}

function fromCaller(_card: Card, { pinned }: CardKeySources): Answer {
  if (pinned === undefined) return { none: 'the caller names none' }
  return { keys: pinned, words: `keys that the caller trusts: ${pinned.length}` }
}

async function fromResolver(card: Card, { resolver, subtle }: CardKeySources): Promise<Answer> {
  if (resolver === undefined) return { none: 'the caller has no list of keys' }
  if (card.id === undefined) return { none: 'the card has no id to look for' }
  const known = await answerOf(resolver, card.id.value)
  if ('none' in known) return known
  const keys: Key[] = []
  for (const source of known.list) {
    try {
      keys.push((await importKey(source, { subtle })).publicKey)
    } catch (error) {
      if (!(error instanceof KeyError)) throw error
      return { none: `a key of the caller cannot be used: ${error.message}`, odd: true }
    }
  }
  return { keys, words: `keys that the caller knows for ${quoted(card.id.value)}: ${keys.length}` }
}

async function fromAuthority({ id }: Card, { subtle }: CardKeySources): Promise<Answer> {
  const uri = id && readAgentUri(id.value)
  if (uri === undefined) return { none: 'the card has no id' }
  if ('detail' in uri) return { none: uri.detail, odd: true }
  const named = await keyOfName(uri.authority, subtle)
  if (named === undefined) return { none: `${quoted(uri.authority)} is a name and no key` }
  return { keys: [named.key], words: `the id is the key itself, as ${named.form}` }
}

async function fromAns(card: Card, { ans, subtle }: CardKeySources): Promise<Answer> {
  if (ans === undefined) return { none: 'there is no resolver for it' }
  if (card.id === undefined) return { none: 'the card has no id to look for' }
  const record = await answerOf(ans, card.id.value)
  if ('none' in record) return record
  const named = await Promise.all(record.list.map((peer) => keyOfName(peer, subtle)))
  const keys = named.flatMap((found) => found?.key ?? [])
  if (keys.length === 0) return { none: 'none of the peers that it names is an Ed25519 key', odd: true }
  return { keys, words: `the Agent Name System names the peers: ${keys.length}` }
}

async function fromDid({ did }: Card, { selfAsserted, subtle }: CardKeySources): Promise<Answer> {
  if (did === undefined) return { none: 'the card has none' }
  if (!selfAsserted) return { none: `${quoted(did.value)} stands in the card itself, so it counts only when asked for` }
  const named = await keyOfDidKey(did, subtle)
  if (named === undefined) return { none: `${quoted(did.value)} is not a did:key of Ed25519` }
  return { keys: [named.key], words: `self-asserted: ${quoted(did.value)} stands in the card itself` }
}

/** Calls a function of the caller. If it fails, the card is neither refuted nor trusted. */
async function answerOf<Entry>(
  ask: (id: string) => readonly Entry[] | undefined | Promise<readonly Entry[] | undefined>,
  id: string,
): Promise<{ readonly list: readonly Entry[] } | Silence> {
  try {
    const answer = await ask(id)
    if (answer === undefined) return { none: `${quoted(id)} is not known there` }
    return { list: answer.slice(0, MOST_KEYS) }
  } catch (error) {
    return { none: `it could not be asked: ${visible(messageOf(error).slice(0, 200))}`, odd: true }
  }
}

/** Every step that verifying a card can take, with its title and the section that requires it. */
export const STEPS = {
  document: ['The card can be read', 'Agent Card 3'],
  whole: ['The card is whole', 'Agent Card 4.1'],
  id: ['Identifier', 'Agent Card 3.1'],
  provider: ['Provider', 'Agent Card 3.3'],
  'canonical-form': ['Canonical form without the signature', 'Agent Card 3.2, RFC 8785'],
  seq: ['Sequence number', 'Agent Card 3.2'],
  'key-caller': ['Keys that the caller trusts', 'Agent Card 3.2'],
  'key-resolver': ['What the caller knows of the id', 'Agent Card 3.2'],
  'key-authority': ['The id as a key', 'Agent Card 3.2'],
  'key-ans': ['Agent Name System', 'Agent Card 3.2'],
  'key-did': ['The did of the card', 'Agent Card 3.3'],
  key: ['Where the key comes from', 'Agent Card 3.2'],
  signature: ['Signature', 'Agent Card 3.2'],
  did: ['Decentralized identifier', 'Agent Card 3.3'],
  identity: ['What the key shows', 'Agent Card 7.1'],
} as const

export type CardStep = keyof typeof STEPS

export type CardSteps = Steps<CardStep>

export function checkId({ id }: Card, expected: string | undefined, steps: CardSteps): void {
  if (expected === undefined) steps.skipped('id', 'no identifier is expected')
  else if (id?.value === expected) steps.passed('id', `${quoted(expected)} is expected`)
  else {
    const detail = `expected ${quoted(expected)}, found ${id === undefined ? 'no id' : quoted(id.value)}`
    steps.failed('id', detail, { rule: CARD_OTHER_ID, pointer: '/id' })
  }
}

/** Sources whose keys count even if the card holds a different one. */
export const KNOWN_TO_CALLER: readonly CardKeyOrigin[] = ['caller', 'resolver']

/** The key inside the card: its id or its did. */
export async function keyInside({ id, did }: Card, subtle: Subtle): Promise<Key | undefined> {
  const uri = id && readAgentUri(id.value)
  const named = uri !== undefined && 'authority' in uri ? await keyOfName(uri.authority, subtle) : undefined
  return (named ?? (await keyOfDidKey(did, subtle)))?.key
}

/** The key that a did is, if it is a did:key of Ed25519. */
export async function keyOfDidKey(did: Card['did'], subtle: Subtle): Promise<NamedKey | undefined> {
  return did?.value.startsWith('did:key:') ? keyOfName(did.value, subtle) : undefined
}

export async function checkDid({ did }: Card, key: Key, subtle: Subtle, steps: CardSteps): Promise<void> {
  const named = await keyOfDidKey(did, subtle)
  if (did === undefined) steps.skipped('did', 'the card has none')
  else if (named === undefined) steps.skipped('did', `${quoted(did.value)} is not looked up`)
  else if (isSameKey(named.key, key)) steps.passed('did', 'it is the key that signed')
  else steps.warning('did', 'it is another key than the one that signed')
}

const SHOWS: Readonly<Record<Exclude<CardKeyOrigin, 'did'>, string>> = {
  caller: 'signed with a key that the caller trusts',
  resolver: 'signed with a key that the caller knows for this id',
  authority: 'signed with the key that the id is',
  ans: 'signed by a peer that the Agent Name System names for this id',
}

export function sayWhatTheKeyShows(origin: CardKeyOrigin, steps: CardSteps): void {
  const data = { trust: origin }
  if (origin !== 'did') {
    steps.passed('identity', SHOWS[origin], data)
    return
  }
  const detail = 'self-asserted: the key comes with the card, so nothing shows that the id is of who signed'
  steps.unknown('identity', detail, { rule: CARD_SELF_ASSERTED, pointer: '/did' }, data)
}
