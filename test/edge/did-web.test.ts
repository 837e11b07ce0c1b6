// did:web from end to end (ADL 6.1, 6.3): an agent is signed, published to the Worker, and verified by the command line
// tool. The tool requests the DID document from the Worker over TLS, by name, through the address guard. Only the
// addresses of the name and the certificate authority belong to the test.
import { request as ask } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportKey, generateKey, type Key } from '../../bindings/keys/index.ts'
import { guardedFetch } from '../../bindings/node/fetch.ts'
import { blazon } from '../cli/terminal.ts'
import { certificateFor } from '../support/certificate.ts'
import { HOST, startTls, type TlsServer } from '../support/tls.ts'
import { type Server, startServer } from './server.ts'
import { operator } from './tokens.ts'

let worker: Server
let tls: TlsServer
beforeAll(async () => {
  // Like a proxy that terminates TLS: it passes the requested host on to the Worker.
  tls = await startTls((incoming, outgoing) => {
    const { method, url, headers } = incoming
    incoming.pipe(
      ask(worker.origin + url, { method, headers, agent: false }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      }),
    )
  })
  worker = await startServer({ PUBLIC_ORIGIN: tls.origin })
})
afterAll(async () => {
  await tls.close()
  await worker.stop()
})

const did = (name: string) => `did:web:${HOST}%3A${tls.port}:agents:${name}`
const agent = (name: string) =>
  JSON.stringify({
    adl_spec: '0.1.0',
    id: `${tls.origin}/agents/${name}`,
    name: 'Invoice Processor',
    description: 'Reads invoices, checks their amounts and sends them to those who approve them.',
    version: '1.0.0',
    data_classification: { sensitivity: 'confidential' },
    cryptographic_identity: { did: did(name) },
  })

async function signed(name: string, key: Key): Promise<string> {
  const files = { 'a.adl.json': agent(name), key: await exportKey(key, 'pem') }
  const { stdout, code } = await blazon(['sign', 'a.adl.json', '--key', 'key', '--embed-key'], { files })
  expect(code).toBe(0)
  return stdout
}

async function publish(name: string): Promise<string> {
  const text = await signed(name, await generateKey())
  const response = await tls.fetch(`${tls.origin}/agents/${name}/adl.json?reviewed=true`, {
    method: 'PUT',
    body: text,
    headers: { ...operator(tls.origin), 'content-type': 'application/adl+json' },
  })
  expect([response.status, await response.text()]).toEqual([201, expect.any(String)])
  return text
}

const verify = (text: string, fetch = tls.fetch) =>
  blazon(['verify', 'a.adl.json', '--resolve', '--expect-provider', `${HOST}:${tls.port}`], {
    files: { 'a.adl.json': text },
    fetch,
  })

test('[adl/6.3-7] [adl/18.11-2] a DID document of the Worker shows who signed, and the provisioning check requires nothing more', async () => {
  const text = await publish('circle')
  const { code, stdout } = await verify(text)
  expect(stdout).toContain(`${HOST}:${tls.port} publishes the key`)
  expect(code).toBe(0)
  const files = { 'a.adl.json': text }
  expect((await blazon(['gate', 'a.adl.json'], { files })).stdout).toContain('refuses  signer: ')
  const asked = await blazon(['gate', 'a.adl.json', '--resolve'], { files, fetch: tls.fetch })
  expect([asked.code, asked.stdout.split('\n')[0]]).toEqual([0, 'a.adl.json: may run'])
})

test('[adl/6.3-7] another key under the same DID is not verified', async () => {
  await publish('taken')
  const { code, stderr } = await verify(await signed('taken', await generateKey()))
  expect([code, stderr]).toEqual([4, expect.stringContaining('KEY-123')])
})

test('[adl/18.11-1] neither another certificate nor a private address is accepted for the domain', async () => {
  const text = await publish('guarded')
  const strange = certificateFor([HOST]).cert
  for (const dialer of [
    { ...tls.dialer, ca: strange },
    { ...tls.dialer, resolve: async () => ['127.0.0.1'] },
  ]) {
    const { code, stdout } = await verify(text, guardedFetch(dialer))
    expect([code, stdout]).toEqual([4, expect.stringMatching(/certificate|not public/)])
  }
})
