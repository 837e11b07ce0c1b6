// Whatever a zone, a server or a peer sends, no verb throws. Each round makes up a zone and the answers of its servers,
// from parts that parsers disagree about.
import { expect, test } from 'vitest'
import { connect } from '../../bindings/agp/index.ts'
import type { Resolver } from '../../bindings/discover/dns/lookup.ts'
import { decodeMessage, TYPES } from '../../bindings/discover/dns/message.ts'
import { checkDns, discover, probe } from '../../bindings/discover/index.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { KEY, metadata } from '../discover/trust/lab.ts'
import { casesOf } from '../support/cases.ts'
import { random } from '../support/random.ts'

const DOMAIN = 'alice.example.test'
/** A soak runs more, from another seed. */
const ROUNDS = Number(process.env['BLAZON_WORLDS'] ?? casesOf(500))
const SEED = Number(process.env['BLAZON_SEED'] ?? 0)

const NAMES = [
  'xn--a.example',
  'xn--.example',
  'xn--zzzzzzzz.example',
  'xn--bcher-kva.example',
  '*.example',
  '_x._y.example',
  '1.2.3.4',
  '0x7f.1',
  'localhost',
  'example',
  'a b.example',
  'a%2f.example',
  'a@b.example',
  '[::1]',
  '\u00ff\u00fe.example',
  '\u0000.example',
  `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(50)}`,
  DOMAIN,
  'bob.example.test',
  '',
]
const PLACES = [
  ...NAMES.map((name) => `https://${name}/.well-known/agent.json`),
  'https://',
  'https://bob.example.test:0/',
  'https://bob.example.test:99999/',
  'https://bob.example.test/%',
  'https://bob.example.test/%ff#x',
  'wss://bob.example.test/chat',
  'javascript:alert(1)',
  'agent.json',
  '',
]
const VALUES = [...PLACES, null, true, -1, 1e308, [], {}, ['x'], { x: 1 }, '\ud800', 'x'.repeat(300), undefined]

const bytes = (text: string) => [...Buffer.from(text, 'latin1')]
const u16 = (number: number) => [(number >> 8) & 0xff, number & 0xff]
const string = (text: string) => [Math.min(text.length, 255), ...bytes(text).slice(0, 255)]
const nameWire = (name: string) => [
  ...name.split('.').flatMap((label) => (label === '' ? [] : string(label.slice(0, 63)))),
  0,
]

function world(chance: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)]!
  const param = (key: number, value: number[]) => [...u16(key), ...u16(value.length), ...value]
  /** Most parts are valid, so that the parts after them are reached. */
  const often = <T>(sound: T, odd: () => T): T => (chance() < 0.75 ? sound : odd())
  const own = `https://${DOMAIN}/.well-known/agent.json`
  const rdata: Readonly<Record<number, () => number[]>> = {
    [TYPES.SVCB]: () => [
      ...u16(often(1, () => 0)),
      ...nameWire(often('', () => pick(NAMES))),
      ...often([], () => pick([param(1, string('\u00ff\u0080')), param(1, [9, 1])])),
      ...often([], () => pick([param(3, u16(pick([0, 8443, 65_535]))), param(3, [1])])),
      ...often([], () => param(65_400, bytes(pick(PLACES)))),
      ...often([], () => param(65_409, bytes(pick(['agent.json', '../x', 'a?b', '\u00ff'])))),
    ],
    [TYPES.TXT]: () =>
      string(
        often(`v=ADP1.1; pk=${KEY.fingerprint}; wk=${often(own, () => pick(PLACES))}`, () =>
          pick(['v=ADP1.1', '\u00ff', '']),
        ),
      ),
    [TYPES.SRV]: () => [
      ...u16(0),
      ...u16(0),
      ...u16(often(443, () => 0)),
      ...nameWire(often(DOMAIN, () => pick(NAMES))),
    ],
    [TYPES.A]: () => often([93, 184, 216, 34], () => pick([[127, 0, 0, 1], [1]])),
    [TYPES.AAAA]: () => pick([[], Array(16).fill(0)]),
    [TYPES.TLSA]: () =>
      pick([
        [3, 1, 1, ...Array(32).fill(7)],
        [3, 1],
        [255, 255, 255],
      ]),
    [TYPES.CNAME]: () => nameWire(pick(NAMES)),
  }
  const record = (owner: number[], type: number, data: readonly number[]) => [
    ...owner,
    ...u16(type),
    0,
    1,
    0,
    0,
    0,
    9,
    ...u16(data.length),
    ...data,
  ]
  const answer = (asked: Uint8Array<ArrayBuffer>): Uint8Array => {
    const [{ type } = { type: 0 }] = decodeMessage(asked).questions
    const end = asked.indexOf(0, 12) + 5
    const kind = chance() < 0.05 ? TYPES.CNAME : type
    const make = rdata[kind]
    const isThere = make !== undefined && type !== TYPES.AAAA && chance() < (type === TYPES.SVCB ? 0.6 : 0.9)
    const count = isThere ? pick([1, 1, 1, 2]) : 0
    const records = Array.from({ length: count }, () => record([0xc0, 12], kind, make!()))
    const head = [...asked.slice(0, 2), ...u16(often(0x8180, () => pick([0x8183, 0x81a0]))), 0, 1, ...u16(count)]
    return Uint8Array.from([...head, 0, 0, 0, 0, ...asked.slice(12, end), ...records.flat()])
  }
  const resolver: Resolver = Object.assign(async (asked: Uint8Array<ArrayBuffer>) => answer(asked), {
    isPrivate: chance() < 0.5,
  })
  const fetch = async (): Promise<Response> => {
    if (chance() < 0.05) throw new TypeError('fetch failed')
    const wellKnown = often(own, () => pick(PLACES))
    const more: Record<string, unknown> = {}
    for (const name of ['endpoints', 'dns', 'security', 'capabilities', 'proof', 'pricing'])
      if (chance() < 0.25)
        more[name] = pick([pick(VALUES), { chat: pick(VALUES), wellKnown: pick(VALUES), tasks: pick(VALUES) }])
    const sound = { chat: `wss://${DOMAIN}/chat`, wellKnown }
    const document = metadata({ domain: DOMAIN, wellKnown, more: { endpoints: sound, ...more } })
    const body = often(JSON.stringify(document), () => pick(['{', '7', '\u00ff']))
    const status = often(200, () => pick([204, 302, 404, 500]))
    const headers = {
      'content-type': pick(['application/vnd.adp+json', 'text/html', '']),
      location: pick(PLACES).replace(/[^\x20-\x7e]/g, ''),
    }
    return new Response(status === 204 ? null : body, { status, headers })
  }
  const say = () =>
    pick([
      '',
      '{',
      '7',
      '{"type":"system"}',
      JSON.stringify({ id: pick(VALUES), from: pick(VALUES), type: pick(VALUES) }),
    ])
  return { resolver, fetch, say, pick }
}

/** A peer that sends something odd as soon as it is connected, and hangs up. */
function oddSocket(say: () => string, fails: boolean) {
  return class {
    readyState = 0
    readonly #listeners: [string, (event: object) => void][] = []
    constructor(url: string) {
      if (fails) throw new SyntaxError(`invalid: ${url}`)
      queueMicrotask(() => {
        this.readyState = 1
        this.#emit('open', {})
        this.#emit('message', { data: say() })
        this.close()
      })
    }
    addEventListener(type: string, listener: (event: object) => void) {
      this.#listeners.push([type, listener])
    }
    send() {}
    close() {
      if (this.readyState === 3) return
      this.readyState = 3
      queueMicrotask(() => this.#emit('close', { code: 1006, reason: say() }))
    }
    #emit(type: string, event: object) {
      for (const [name, listener] of this.#listeners) if (name === type) listener(event)
    }
  }
}

test(`whatever a zone, a server or a peer sends, no verb throws: ${ROUNDS} made-up worlds`, async () => {
  const key = await generateKey('Ed25519')
  for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
    const { resolver, fetch, say, pick } = world(random(seed))
    const options = { resolver, fetch, anchors: {}, timeoutMs: 5_000 }
    const card = {
      id: 'agent://a.example/x',
      endpoints: [{ protocol: pick(['a2a', 'mcp', 'adp']), url: pick(VALUES) }],
    }
    const verbs: Record<string, () => Promise<unknown>> = {
      discover: () => discover(DOMAIN, { ...options, need: pick(['address', 'metadata', 'peer']), descriptor: true }),
      checkDns: () => checkDns(DOMAIN, options),
      probe: () => probe(JSON.stringify(card), { fetch }),
      connect: () =>
        connect(`agent:${DOMAIN}`, {
          key,
          as: 'agent:bob.example.test',
          discover: (domain) => discover(domain, { ...options, need: 'peer' }),
          WebSocket: oddSocket(say, pick([true, false])) as never,
          onMessage: () => {},
          reconnectSeconds: 0,
        }),
    }
    for (const [name, verb] of Object.entries(verbs)) {
      const thrown = await verb().then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(thrown, `${name}, world ${seed}`).toBeUndefined()
    }
  }
})
