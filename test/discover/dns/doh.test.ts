// DNS over HTTPS (RFC 8484), seen from its server.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { dohResolver, resolveDns } from '../../../bindings/discover/dns/lookup.ts'
import { decodeMessage } from '../../../bindings/discover/dns/message.ts'

let close = () => {}
afterEach(() => close())

/** The question, as an answer without records. */
const empty = (question: Buffer) => {
  question[2]! |= 0x80
  return question
}
const questionIn = ({ url }: IncomingMessage) =>
  Buffer.from(new URL(url!, 'http://localhost').searchParams.get('dns') ?? '', 'base64url')

async function asked(
  answer: (question: Buffer, response: ServerResponse, tries: number) => unknown,
  options: dohResolver.Options = {},
) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    answer(questionIn(request), response, seen.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  const { port } = server.address() as AddressInfo
  const resolver = dohResolver(`http://127.0.0.1:${port}/dns-query?key=own`, options)
  const outcome = await resolveDns('a.test', 'A', { resolver, anchors: {} })
  return { seen, code: outcome.ok ? 'ok' : outcome.diagnostic.code }
}
const message = (bytes: Buffer, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/dns-message' }).end(bytes)

test('sends a GET with the message in base64url and id 0, for caches (sections 4.1, 5.1)', async () => {
  const { seen, code } = await asked((question, response) => message(empty(question), response))
  expect(code).toBe('ok')
  expect(seen.map(({ method, headers }) => [method, headers.accept])).toEqual([['GET', 'application/dns-message']])
  expect(seen[0]!.url).toMatch(/^\/dns-query\?key=own&dns=[\w-]+$/)
  const question = decodeMessage(questionIn(seen[0]!))
  expect(question).toMatchObject({ id: 0, isAnswer: false, questions: [{ name: 'a.test', type: 1, class: 1 }] })
})

test.each([
  ['another status', (_: Buffer, response: ServerResponse) => response.writeHead(500).end()],
  ['another type', (q: Buffer, response: ServerResponse) => response.writeHead(200).end(empty(q))],
  ['a redirect', (_: Buffer, response: ServerResponse) => response.writeHead(302, { location: '/x' }).end()],
  ['too much', (_: Buffer, response: ServerResponse) => message(Buffer.alloc(65_536), response)],
])('%s is final, and not repeated', async (_, answer) => {
  const { seen, code } = await asked(answer, { retries: 3 })
  expect([code, seen.length]).toEqual(['DNS-107', 1])
})

test('gives up after the given time and number of tries', async () => {
  const silent = await asked(() => undefined, { timeoutMs: 1000, retries: 2 })
  expect([silent.code, silent.seen.length]).toEqual(['DNS-104', 3])
  close()
  const late = (question: Buffer, response: ServerResponse, tries: number) =>
    tries === 2 && message(empty(question), response)
  expect((await asked(late, { timeoutMs: 3000, retries: 1 })).code).toBe('ok')
})
