// Node's resolver against a real server: over UDP, and over TCP for answers that are cut off.
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveDns } from '../../bindings/discover/dns/lookup.ts'
import { udpResolver } from '../../bindings/node/dns.ts'
import { bind, type DnsLab, startDns } from '../support/dns-lab.ts'

if (!bind.available) console.warn(`NOT RUN: the resolver of Node against bind9: ${bind.reason}`)

/** Ten records of 250 characters: more than the 1,232 bytes that we accept over UDP. */
const LARGE = Array.from({ length: 10 }, (_, i) => `large TXT "${String(i).repeat(250)}"`).join('\n')

describe.runIf(bind.available)('udpResolver', () => {
  let lab: DnsLab
  beforeAll(async () => {
    lab = await startDns([
      { name: '.', records: '' },
      { name: 'test', records: LARGE },
    ])
  })
  afterAll(() => lab?.close())

  test('repeats a truncated answer over TCP', async () => {
    const resolver = udpResolver({ address: '127.0.0.1', port: lab.port })
    const answer = await resolveDns('large.test', 'TXT', { resolver, anchors: {} })
    expect(answer.ok && answer.records.map(([text]) => text!.length)).toEqual(Array(10).fill(250))
  })
})

test('reports an address that the system cannot reach, as without a network', async () => {
  const resolver = udpResolver({ address: '255.255.255.255' })
  const answer = await resolveDns('a.test', 'A', { resolver, anchors: {} })
  expect(answer).toMatchObject({
    ok: false,
    diagnostic: { code: 'DNS-107', detail: expect.stringContaining('it cannot be reached: ') },
  })
})

describe('a server that is silent, or answers another question', () => {
  const serve = async (answer: (question: Buffer, tries: number) => Buffer | undefined) => {
    const socket = createSocket('udp4')
    let tries = 0
    socket.on('message', (question, { port }) => {
      const bytes = answer(question, ++tries)
      if (bytes !== undefined) socket.send(bytes, port, '127.0.0.1')
    })
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const { port } = socket.address() as AddressInfo
    return { port, tries: () => tries, close: () => socket.close() }
  }
  /** The question, as an answer without records. */
  const empty = (question: Buffer) => {
    const bytes = Buffer.from(question)
    bytes[2]! |= 0x80
    return bytes
  }
  const asked = (port: number, retries: number) =>
    resolveDns('a.test', 'A', {
      resolver: udpResolver({ address: '127.0.0.1', port, timeoutMs: 1000, retries }),
      anchors: {},
    })

  test('is asked again exactly as often as configured', async () => {
    const server = await serve(() => undefined)
    expect(await asked(server.port, 2)).toMatchObject({ diagnostic: { code: 'DNS-104' } })
    await expect.poll(() => server.tries()).toBe(3)
    server.close()
    const late = await serve((question, tries) => (tries === 2 ? empty(question) : undefined))
    expect(await asked(late.port, 1)).toMatchObject({ ok: true, absent: 'type' })
    late.close()
  })

  test('is ignored with another id (RFC 5452)', async () => {
    const guessing = await serve((question) => {
      const bytes = empty(question)
      bytes.writeUInt16BE(bytes.readUInt16BE(0) ^ 1, 0)
      return bytes
    })
    expect(await asked(guessing.port, 0)).toMatchObject({ diagnostic: { code: 'DNS-104' } })
    guessing.close()
  })
})

test.each(['dns.example', '', '127.0.0.1:53', '1.2.3'])('%j is not an address of a resolver', (address) => {
  expect(() => udpResolver({ address })).toThrow(TypeError)
})
