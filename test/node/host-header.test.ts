// The Host header that a real server on port 443 receives, in each supported release of Node. Only there the default
// port matters: a server with several hosts answers 421 to a wrong one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestOver } from '../../bindings/node/fetch.ts'
import { certificateFor } from '../support/certificate.ts'
import { nodeOf } from '../support/peers.mjs'
import { HOST, startTls, type TlsServer } from '../support/tls.ts'

const certificate = certificateFor([HOST])
/**
 * Its own address, so that several runs on one machine do not collide. Only Linux has all of 127.0.0.0/8 on its
 * loopback.
 */
const ADDRESS =
  process.platform === 'linux' ? `127.${1 + (process.pid % 250)}.${(process.pid >> 8) % 250}.3` : '127.0.0.1'

const received: string[] = []
const listen = (port: number): Promise<TlsServer> =>
  startTls((request, response) => response.end(void received.push(request.headers.host ?? 'none')), {
    certificate,
    address: ADDRESS,
    port,
    onUpgrade: (request, socket) => {
      received.push(request.headers.host ?? 'none')
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    },
  })

const standard = await listen(443).catch((error: Error) => {
  console.warn(`NOT RUN: the Host header on port 443: ${error.message}`)
  return undefined
})
let other: TlsServer
beforeAll(async () => {
  other = await listen(0)
})
afterAll(() => Promise.all([standard?.close(), other.close()]))

const PROGRAM = `
import { guardedFetch, guardedWebSocket } from 'blazon/node'

const { CA: ca, ADDRESS: address, URLS: urls } = process.env
const options = { ca, resolve: async () => ['93.184.216.34'], dial: () => address }
for (const url of urls.split(' ')) {
  await (await guardedFetch(options)(url)).text()
  const socket = new (guardedWebSocket(options))(url.replace('https:', 'wss:'))
  await new Promise((resolve) => socket.addEventListener('close', resolve))
}
`

/** The Host headers of a request and of a WebSocket of this program, for each URL. */
async function hostsFrom(node: string, ...urls: string[]): Promise<string[]> {
  received.length = 0
  const child = spawn(node, ['--input-type=module', '--eval', PROGRAM], {
    env: { CA: certificate.cert, ADDRESS, URLS: urls.join(' ') },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  expect((await once(child, 'close'))[0]).toBe(0)
  return received
}

const RELEASES = {
  current: () => process.execPath,
  'node-22': () => nodeOf('node-22'),
  'node-24': () => nodeOf('node-24'),
}

for (const [name, program] of Object.entries(RELEASES)) {
  let node: string
  try {
    node = program()
  } catch (error) {
    console.warn(`NOT RUN: the Host header of ${name}: ${(error as Error).message}`)
    continue
  }
  test.skipIf(standard === undefined)(`${name} names no port in the Host header for port 443`, async () => {
    const hosts = await hostsFrom(node, `https://${HOST}/`, `https://${HOST}:443/`)
    expect(hosts).toEqual([HOST, HOST, HOST, HOST])
  })

  test(`${name} names another port in the Host header`, async () => {
    const host = `${HOST}:${other.port}`
    expect(await hostsFrom(node, other.origin)).toEqual([host, host])
  })
}

test.each([
  ['https://[2606:4700::1]/', '[2606:4700::1]'],
  ['https://[2606:4700::1]:8443/', '[2606:4700::1]:8443'],
  ['https://bob.example:80/', 'bob.example:80'],
  ['https://bob.example:8080/', 'bob.example:8080'],
])('a request to %s has the Host header %s', async (url, host) => {
  // Node writes the header regardless of the connection.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
  const outgoing = requestOver(client as TLSSocket, new URL(url), {}).on('error', () => {})
  outgoing.end()
  const [bytes] = await once(socket, 'data')
  client.destroy()
  server.close()
  expect(/^host: (.*)\r$/im.exec(String(bytes))?.[1]).toBe(host)
})
