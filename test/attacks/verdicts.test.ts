// `verified` for each kind of signed document, under the same attacks. A verified document has the content of the original.
// Containers, messages and traces have theirs in agentlang/container/container.test.ts and foreign.test.ts.
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Proof, sign, verify } from '../../bindings/index.ts'
import { exportKey, generateKey, type PrivateKey } from '../../bindings/keys/index.ts'
import { seal, verifyStream } from '../../bindings/runs/index.ts'
import { formatPointer, isObject, parsePointer, valueAt } from '../../bindings/text/members.ts'
import * as metadata from '../../bindings/wellknown/index.ts'
import * as invitations from '../../bindings/wellknown/invite/index.ts'
import { CURRENT } from '../a2a/samples.ts'
import { REVIEW } from '../runs/records.ts'
import { sampleOf } from '../support/cases.ts'

type Json = { [member: string]: unknown }
const NOW = new Date('2026-01-01T00:00:00Z')
const SELF = { domain: 'alice.example.com' }
const encode = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const decode = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as Json

interface Signed {
  /** The object around the signed members, and the place of the signature in the document. */
  readonly inside: readonly string[]
  readonly signature: readonly string[]
  make(name: string, pem: string): Promise<object>
}

const KINDS: Readonly<Record<string, Signed>> = {
  adl: {
    inside: [],
    signature: ['security', 'attestation', 'signature'],
    make: async (name) => ({
      adl_spec: '0.1.0',
      name,
      description: 'Finds papers about agents.',
      version: '1.0.0',
      data_classification: { sensitivity: 'internal' },
    }),
  },
  card: {
    inside: [],
    signature: ['signature'],
    make: async (name) => ({ id: 'agent://scout', name, description: 'Finds papers.', version: '1.0.0', seq: 1 }),
  },
  a2a: { inside: [], signature: ['signatures'], make: async (name) => ({ ...CURRENT, name }) },
  wellknown: {
    inside: ['identity'],
    signature: ['identity', 'publicKey', 'proof'],
    async make(name, key) {
      const endpoints = { chat: 'wss://alice.example.com/agent/chat' }
      return (await metadata.build({ ...SELF, key }, { name, endpoints })).metadata!
    },
  },
  invite: {
    inside: ['invite'],
    signature: ['signature'],
    make: async (_, key) => invitations.invite({ ...SELF, key }, { expires: new Date('2026-06-01T00:00:00Z') }),
  },
}

const at = (of: Json, path: readonly string[]) => path.reduce((value, name) => value[name] as Json, of)

describe.each(Object.entries(KINDS))('%s', (kind, { inside, signature, make }) => {
  let [key, stranger]: PrivateKey[] = []
  let [bytes, other]: Uint8Array[] = []
  beforeAll(async () => {
    ;[key, stranger] = await Promise.all([generateKey('Ed25519'), generateKey('Ed25519')])
    const pem = String(await exportKey(key, 'pem'))
    ;[bytes, other] = await Promise.all(
      ['Scout', 'Guide'].map(
        async (name) => (await sign(JSON.stringify(await make(name, pem)), key!, { rules: ['written'] })).bytes!,
      ),
    )
  })
  const prove = async (source: Uint8Array | Json, by = key!) =>
    verify(source instanceof Uint8Array ? source : encode(source), {
      expect: { keys: [by.publicKey] },
      now: NOW,
      as: kind as 'adl',
    })
  const verdict = async (...of: Parameters<typeof prove>) => (await prove(...of)).verdict
  /**
   * What the proof says that a signature covers. An invitation is covered by its member `invite`. An A2A card has several
   * signatures: one of them suffices, and the step `coverage` names what it leaves out.
   */
  const covered = (document: Json, { steps }: Proof) => {
    if (kind === 'invite') return document['invite']
    const { signatures: _, ...rest } = structuredClone(document)
    const coverage = steps.find(({ name }) => name === 'coverage')?.data as { uncovered: readonly string[] } | undefined
    for (const pointer of coverage?.uncovered ?? []) {
      const path = parsePointer(pointer)!
      const parent = valueAt(rest, formatPointer(path.slice(0, -1)))
      if (isObject(parent)) delete (parent as Json)[path.at(-1)!]
    }
    return rest
  }
  const isForged = async (document: Json | Uint8Array) => {
    const proof = await prove(document)
    const value = document instanceof Uint8Array ? () => decode(document) : () => document
    return proof.verdict === 'verified' && !isDeepStrictEqual(covered(value(), proof), covered(decode(bytes!), proof))
  }
  const changed = (change: (part: Json) => void) => {
    const document = decode(bytes!)
    change(at(document, inside))
    return document
  }

  test('the original is verified by its key only', async () => {
    expect([await verdict(bytes!), await verdict(bytes!, stranger)]).toEqual(['verified', 'failed'])
  })

  test('a changed bit: what is verified is the same', async () => {
    const wrong: string[] = []
    for (const i of sampleOf(bytes!.keys())) {
      const flipped = bytes!.with(i, bytes![i]! ^ (1 << (i % 8)))
      if (await isForged(flipped)) wrong.push(`byte ${i}`)
    }
    expect(wrong).toEqual([])
  })

  test('a cut document is not verified', async () => {
    for (let end = 0; end < bytes!.length - 1; end += 7)
      expect(await verdict(bytes!.slice(0, end))).not.toBe('verified')
  })

  test('a member that was added, removed, renamed or moved is found', async () => {
    const [first, second] = Object.entries(at(decode(bytes!), inside)).flatMap(([name, value]) =>
      typeof value === 'string' ? [name] : [],
    )
    const attacks: readonly ((part: Json) => void)[] = [
      (part) => Object.assign(part, { x_more: true }),
      (part) => delete part[second!],
      (part) => {
        part['x_other'] = part[second!]
        delete part[second!]
      },
      (part) => {
        ;[part[first!], part[second!]] = [part[second!], part[first!]]
      },
      (part) => {
        part['x_inner'] = { [second!]: part[second!] }
        delete part[second!]
      },
    ]
    for (const attack of attacks) expect(await isForged(changed(attack)), attack.toString()).toBe(false)
  })

  test('the signature of another document of the same key does not count', async () => {
    const [document, place] = [decode(bytes!), signature.at(-1)!]
    at(document, signature.slice(0, -1))[place] = at(decode(other!), signature)
    expect(await verdict(other!)).toBe('verified')
    expect(await verdict(document)).toBe('failed')
    delete at(document, signature.slice(0, -1))[place]
    expect(await verdict(document)).not.toBe('verified')
  })
})

test('stream: each attack on the lines or their checkpoints is found', async () => {
  const [key, stranger] = await Promise.all([generateKey('Ed25519'), generateKey('Ed25519')])
  const sealed = async (of: object, by = key) => {
    const { stream, checkpoints } = await seal(JSON.stringify(of), { key: by, every: 2 })
    return [stream!, checkpoints!] as const
  }
  const [stream, checkpoints] = await sealed(REVIEW)
  const [otherStream, otherCheckpoints] = await sealed({ ...REVIEW, final_output: { type: 'text', content: 'None.' } })
  const [, foreign] = await sealed(REVIEW, stranger)
  const verdict = async (lines: Uint8Array, notes: Uint8Array) =>
    (await verifyStream(lines, { checkpoints: notes, keys: [key.publicKey] })).verdict
  expect([await verdict(stream, checkpoints), await verdict(otherStream, otherCheckpoints)]).toEqual([
    'verified',
    'verified',
  ])
  const lines = new TextDecoder().decode(stream).split(/(?<=\n)/)
  const [a = '', b = '', c = '', ...rest] = lines
  const attacks: Readonly<Record<string, readonly [string, Uint8Array]>> = {
    'another key': [lines.join(''), foreign],
    'notes of another run': [lines.join(''), otherCheckpoints],
    'a line is missing': [[a, c, ...rest].join(''), checkpoints],
    'lines are exchanged': [[a, c, b, ...rest].join(''), checkpoints],
    'a line twice': [[a, b, b, c, ...rest].join(''), checkpoints],
    'a line more': [[...lines, lines.at(-1)].join(''), checkpoints],
    'the end is cut': [lines.slice(0, -1).join(''), checkpoints],
    'a member more': [[a, b.replace('{', '{"x":1,'), c, ...rest].join(''), checkpoints],
  }
  for (const [name, [text, notes]] of Object.entries(attacks))
    expect(await verdict(encode(text), notes), name).not.toBe('verified')
})
