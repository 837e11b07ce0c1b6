// Data from others, randomly mutated: DNS answers, metadata, invitations, traces, messages. Each mutation must give a
// report. None may throw, hang, or be accepted as signed. An attack describes each fault in words, and returns none if
// all is well.
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { verify as verifyMessage } from '../../bindings/agp/index.ts'
import { anchorsFromText } from '../../bindings/discover/dns/dnssec/rdata.ts'
import { type Discovery, replay, type Trace, verify as verifyTrace } from '../../bindings/discover/index.ts'
import { validate } from '../../bindings/index.ts'
import { openVerifier } from '../../bindings/keys/index.ts'
import * as metadata from '../../bindings/wellknown/index.ts'
import * as invitations from '../../bindings/wellknown/invite/index.ts'
import { pairOf, signed } from '../agp/oracle.ts'
import { processorTime } from '../support/effort.ts'
import { random as randomOf } from '../support/random.ts'

const SLOWEST_MS = 2_000
const MOST_FAULTS = 10

type Random = () => number

/** Parts that confuse readers of bytes and of JSON. */
const PIECES = [
  ...['{', '}', '[', ']', '"', ',', ':', 'null', '0', '-1', '1e999', '\\ud800', '\\u0000', '""', '\n', ' '],
  ...['"agent:bank.example"', '"https://169.254.169.254/"', '"proof":"', '"invite":{}', '"code":"x",'],
].map((text) => Buffer.from(text))
const OCTETS = [0x00, 0xc0, 0xff, 0x3f, 0x40, 0x7f, 0x80]

/** One to four mutations: bits, bytes, inserted pieces, and parts that are removed, repeated or moved. */
export function mutated(bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const at = (length: number) => Math.floor(random() * (length + 1))
  let result = Buffer.from(bytes)
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes--) {
    const here = Math.min(at(result.length), Math.max(0, result.length - 1))
    const part = result.subarray(here, here + 1 + Math.floor(random() ** 3 * 64))
    const rest = result.subarray(here + part.length)
    const kind = Math.floor(random() * 7)
    if (kind === 0 && result.length > 0) result[here]! ^= 1 << Math.floor(random() * 8)
    else if (kind === 1 && result.length > 0) result[here] = OCTETS[Math.floor(random() * OCTETS.length)]!
    else if (kind === 2) result = Buffer.concat([result.subarray(0, here), rest])
    else if (kind === 3) result = Buffer.concat([result.subarray(0, here), part, part, rest])
    else if (kind === 4) result = result.subarray(0, here)
    else if (kind === 5)
      result = Buffer.concat([result.subarray(0, here), Buffer.from([at(255)]), result.subarray(here)])
    else {
      const piece = PIECES[Math.floor(random() * PIECES.length)]!
      result = Buffer.concat([result.subarray(0, here), piece, result.subarray(here)])
    }
  }
  return Uint8Array.from(result)
}

/** Runs the inputs one after the other; returns a description of each fault. */
export async function attackForeign(name: keyof typeof TARGETS, count: number, seed: number): Promise<string[]> {
  const random = randomOf(seed)
  const attack = await TARGETS[name]()
  const faults: string[] = []
  for (let i = 0; i < count && faults.length < MOST_FAULTS; i++) {
    const begun = processorTime()
    const fault = await attack(random).catch((error: unknown) => `threw ${String(error)}`)
    const took = processorTime() - begun
    const wrong = fault ?? (took > SLOWEST_MS ? `took ${Math.round(took)} ms` : undefined)
    if (wrong !== undefined) faults.push(`${name} ${i} of seed ${seed}: ${wrong}`)
  }
  return faults
}

/** The original must be accepted; otherwise a refusal would prove nothing. */
function holds(verdict: string): void {
  if (verdict !== 'verified') throw new Error(`the original is ${verdict}`)
}

type Attack = (random: Random) => Promise<string | undefined>

export const TARGETS = {
  'answers of the DNS': dnsAnswers,
  traces,
  metadata: metadataDocuments,
  invitations: invitationDocuments,
  messages: () => messages(undefined),
  'strict messages': () => messages(3),
} satisfies Record<string, () => Promise<Attack>>

interface Example {
  readonly trace: Trace
  readonly anchors: string
}

const example = () => JSON.parse(readFileSync('browser-demo/discover/example.json', 'utf8')) as Example

/** The facts that a caller acts on. */
const factsOf = ({ agent, proof }: Discovery) =>
  agent && {
    place: [agent.uri, agent.host, agent.port, [...agent.addresses].sort(), agent.url, agent.fingerprint],
    services: [agent.alpn, agent.bap, agent.cap, agent.capSha256],
    metadata: agent.metadata?.value,
    levels: proof.levels,
  }

/** Answers in a signed test network, with one of them mutated at a time: the result must be the same agent, or none. */
async function dnsAnswers(): Promise<Attack> {
  const { trace, anchors: text } = example()
  const anchors = anchorsFromText(text)
  const wanted = factsOf(await replay(trace, { anchors }))
  if (wanted === undefined || wanted.levels.length !== 3) throw new Error('the example is not what it was')
  const places = trace.steps.flatMap((step, i) => (step.kind === 'dns' && step.answer !== undefined ? [i] : []))
  return async (random) => {
    const place = places[Math.floor(random() * places.length)]!
    const steps = trace.steps.map((step, i) => {
      if (i !== place || step.kind !== 'dns') return step
      return { ...step, answer: Buffer.from(mutated(Buffer.from(step.answer!, 'base64'), random)).toString('base64') }
    })
    const found = factsOf(await replay({ ...trace, steps }, { anchors }))
    return found === undefined || isDeepStrictEqual(found, wanted)
      ? undefined
      : `another agent: ${JSON.stringify(found)}`
  }
}

/** The text of a trace. If it verifies, it has the same answers, or at least gives the same agent. */
async function traces(): Promise<Attack> {
  const { trace, anchors: text } = example()
  const anchors = anchorsFromText(text)
  const bytes = Buffer.from(JSON.stringify(trace))
  const expect = { id: `agent:${trace.domain}` }
  const wanted = factsOf(await replay(trace, { anchors }))
  holds((await verifyTrace(bytes, { anchors, expect })).verdict)
  return async (random) => {
    const changed = mutated(bytes, random)
    const { valid } = validate(changed, { as: 'trace' })
    const { verdict } = await verifyTrace(changed, { anchors, expect })
    if (verdict !== 'verified') return undefined
    if (!valid) return 'verified, and not valid'
    const read = JSON.parse(new TextDecoder().decode(changed)) as Trace
    const found = factsOf(await replay(read, { anchors }))
    // The required or least level may be lower than before; what was found is the same.
    const isSame = (['place', 'services'] as const).every((name) => isDeepStrictEqual(found?.[name], wanted?.[name]))
    return isSame || found?.metadata === undefined ? undefined : `another agent: ${JSON.stringify(found)}`
  }
}

const equal = (changed: Uint8Array, original: unknown) =>
  isDeepStrictEqual(JSON.parse(new TextDecoder().decode(changed)), original)

async function metadataDocuments(): Promise<Attack> {
  const pair = pairOf('agent:alice.example.com')
  const made = await metadata.build(
    { domain: 'alice.example.com', key: pair.pem },
    { name: 'Alice', endpoints: { chat: 'wss://alice.example.com/agent/chat' } },
  )
  const { bytes } = await metadata.sign(JSON.stringify(made.metadata), pair.pem)
  if (bytes === undefined) throw new Error('the metadata is not signed')
  const original = JSON.parse(new TextDecoder().decode(bytes))
  const expect = { id: pair.uri, keys: [pair.publicPem] }
  holds((await metadata.verify(bytes, { expect })).verdict)
  return async (random) => {
    const changed = mutated(bytes, random)
    validate(changed, { as: 'wellknown' })
    const { verdict } = await metadata.verify(changed, { expect })
    return verdict !== 'verified' || equal(changed, original) ? undefined : new TextDecoder().decode(changed)
  }
}

async function invitationDocuments(): Promise<Attack> {
  const pair = pairOf('agent:alice.example.com')
  const now = new Date('2026-01-01T00:00:00Z')
  const expires = new Date('2026-06-01T00:00:00Z')
  const made = await invitations.invite({ domain: 'alice.example.com', key: pair.pem }, { expires })
  const { bytes } = await invitations.sign(JSON.stringify(made), pair.pem)
  if (bytes === undefined) throw new Error('the invitation is not signed')
  const { invite } = JSON.parse(new TextDecoder().decode(bytes))
  const expect = { id: pair.uri, keys: [pair.publicPem] }
  holds((await invitations.verify(bytes, { expect, now })).verdict)
  return async (random) => {
    const changed = mutated(bytes, random)
    validate(changed, { as: 'invite', now })
    const { verdict } = await invitations.verify(changed, { expect, now })
    if (verdict !== 'verified') return undefined
    // Members next to the signed one are not signed.
    const read = JSON.parse(new TextDecoder().decode(changed))
    return isDeepStrictEqual(read.invite, invite) ? undefined : new TextDecoder().decode(changed)
  }
}

/** A plain message has six signed fields; in a strict message all fields are signed. */
async function messages(n: number | undefined): Promise<Attack> {
  const [alice, bob] = [pairOf('agent:alice.example.com'), pairOf('agent:bob.example.com')]
  const now = new Date('2026-01-01T00:00:30Z')
  const body = {
    content: 'Guten Morgen, 世界',
    contentType: 'text/plain',
    replyTo: '7c4f7a52-90d8-4b5e-8f0e-5a2f3c1d9b77',
  }
  const id = '0d2e7d3c-5f0a-4c39-9d43-1d9f1d1a3c11'
  const draft = { id, from: alice.uri, to: bob.uri, type: 'chat', timestamp: '2026-01-01T00:00:00Z', body }
  const original = signed(draft, alice, n)
  const bytes = Buffer.from(JSON.stringify(original))
  const key = await openVerifier(alice.publicPem, { algorithm: 'Ed25519' })
  const options = { key, expect: { from: alice.uri, to: bob.uri }, now, ...(n !== undefined && { strict: { n } }) }
  const six = (m: typeof original) => [m.id, m.from, m.to, m.type, m.timestamp, m.body.content]
  holds((await verifyMessage(bytes, options)).verdict)
  return async (random) => {
    const changed = mutated(bytes, random)
    const { message } = await verifyMessage(changed, options)
    if (message === undefined) return undefined
    const isSame = n === undefined ? isDeepStrictEqual(six(message), six(original)) : equal(changed, original)
    return isSame ? undefined : new TextDecoder().decode(changed)
  }
}
