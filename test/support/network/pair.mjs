// `npm start -- --agents FOLDER`: alice.example and bob.example on this machine's server, with real DNS and HTTPS.
// Writes their keys and a tool that is connected to this network into FOLDER.
import { createSocket } from 'node:dgram'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer as createHttp, request as requestHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { join } from 'node:path'
import { HOST, quoted, send, TOOL_PATH } from '../../../scripts/address.mjs'
import { certificateFor } from '../certificate.mjs'
import { ADDRESS, DOMAINS } from './join.mjs'
import { signedZone, TYPE } from './zone.mjs'

const PROGRAM = 'blazon.mjs'
const nameOf = (domain) => domain.split('.')[0]

/** Starts the network in front of the server at `port`, and makes the keys. */
export async function startPair(folder, port) {
  const { exportKey, generateKey } = await import('blazon/keys')
  const { publicKeyBlock } = await import('blazon/wellknown')
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  // Any keys in the folder would be overwritten.
  if (names.length > 0 && !names.includes(PROGRAM)) throw new Error(`${folder} is not empty: name a new folder`)
  const keys = {}
  const records = []
  for (const domain of DOMAINS) {
    const key = await generateKey('Ed25519')
    const pem = await exportKey(key, 'pem')
    keys[nameOf(domain)] = pem
    await writeFile(join(folder, `${nameOf(domain)}.key`), pem, { mode: 0o600 })
    const { fingerprint } = publicKeyBlock(key)
    const text = `v=ADP1.1; pk=${fingerprint}; wk=https://${domain}/.well-known/agent.json`
    records.push(
      { name: domain, type: TYPE.A, data: Buffer.from(ADDRESS.split('.').map(Number)) },
      { name: `_agent.${domain}`, type: TYPE.TXT, data: Buffer.from([text.length, ...Buffer.from(text)]) },
    )
  }
  const zone = signedZone(records)
  await writeFile(join(folder, 'root.ds'), `. IN DS ${zone.ds}\n`)
  const certificate = certificateFor(DOMAINS)
  const [dnsPort, dohPort] = [await serveUdp(zone), await serveDoh(zone)]
  const httpsPort = await serveHttps(certificate, port)
  return {
    folder,
    settings: {
      HOSTS: DOMAINS.map((domain) => `${domain}=${nameOf(domain)}`).join(' '),
      AGENT_KEYS: JSON.stringify(keys),
      DNS_ANCHORS: zone.ds,
      DNS_RESOLVER: `http://${HOST}:${dohPort}/dns-query`,
    },
    network: { dnsPort, httpsPort, certificate: certificate.cert },
  }
}

/** Publishes both agents, and writes the tool for this network. */
export async function publishPair({ folder, network }, { origin, token }) {
  for (const domain of DOMAINS) {
    const endpoints = { chat: `wss://${domain}/agent/chat`, tasks: `https://${domain}/agent/tasks` }
    const body = JSON.stringify({ name: nameOf(domain), endpoints })
    const response = await send(`/agents/${nameOf(domain)}/agent.json`, body, { origin, token })
    if (!response.ok) throw new Error(`${domain} was not published: ${await response.text()}`)
  }
  const program = [
    '// The tool of Blazon in the network of `npm start -- --agents`. It holds a token of that server.',
    `import { joinNetwork } from ${JSON.stringify(new URL('join.mjs', import.meta.url).href)}`,
    `joinNetwork(${JSON.stringify({ ...network, token })})`,
    `await import(${JSON.stringify(TOOL_PATH.href)})`,
    '',
  ]
  await writeFile(join(folder, PROGRAM), program.join('\n'), { mode: 0o600 })
}

export const describePair = (
  { folder },
  origin,
) => `blazon: alice.example and bob.example talk on this machine; in another terminal:

  cd ${quoted(folder)}
  node blazon.mjs discover alice.example --require key-verified --anchors root.ds
  node blazon.mjs chat alice.example --as agent:bob.example --key bob.key --say 'Good morning' --anchors root.ds
  node blazon.mjs tasks send alice.example review --as agent:bob.example --key bob.key --anchors root.ds
  node blazon.mjs tasks list alice --server ${origin}
  node blazon.mjs invite create alice --server ${origin} --out invite.json
  node blazon.mjs invite redeem invite.json --as agent:bob.example --signing-key bob.key
`

async function serveUdp(zone) {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const answer = zone.answer(question)
    if (answer !== undefined) socket.send(answer, port, address)
  })
  await new Promise((done) => socket.bind(0, HOST, done))
  return socket.address().port
}

/** DNS over HTTPS, for the Worker. */
const serveDoh = (zone) =>
  listening(
    createHttp((request, response) => {
      const question = new URL(request.url, 'http://localhost').searchParams.get('dns') ?? ''
      const answer = zone.answer(Buffer.from(question, 'base64url'))
      if (answer === undefined) response.writeHead(400).end()
      else response.setHeader('content-type', 'application/dns-message').end(answer)
    }),
  )

/** HTTPS in front of the Worker, including WebSockets. */
function serveHttps({ key, cert }, port) {
  const ask = ({ method, url, headers }) => requestHttp({ host: HOST, port, method, path: url, headers })
  const server = createHttps({ key, cert }, (request, response) => {
    const asked = ask(request)
    asked.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy())
    request.pipe(asked)
  })
  server.on('upgrade', (request, socket, head) => {
    const asked = ask(request)
    const end = () => socket.destroy()
    socket.on('error', () => asked.destroy())
    asked.on('error', end)
    asked.on('response', end)
    asked.on('upgrade', (answer, other, first) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      socket.write(first)
      other.write(head)
      other.on('error', end)
      other.pipe(socket).pipe(other)
    })
    asked.end()
  })
  return listening(server)
}

async function listening(server) {
  await new Promise((done) => server.listen(0, HOST, done))
  return server.address().port
}
