// docs/start/domain.md as printed, over port 443: the tool of this checkout asks the system's resolver and connects to the
// address that it gets, with nothing of Node replaced. Runs as root in namespaces of its own: unshare --net --mount.
import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOST, TOOL } from '../../scripts/address.mjs'
import { ADDRESS } from './network/join.mjs'

/** What the walk prints when all of it worked. */
const SIGNS = [
  /key-verified \(checked\)/,
  /talking to agent:alice\.example: /,
  /peer-verified \(checked\)/,
  /queued\treview\tagent:bob\.example\t/,
  /"state":"queued"/,
  /^blazon1\.read-one\./m,
]

const state = mkdtempSync(join(tmpdir(), 'blazon-443-'))
const folder = join(state, 'agents')
makeNetwork()
const server = spawn(process.execPath, ['scripts/start.mjs', '--no-build', '--agents', folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await running()
  const [, joined] = /^joinNetwork\((.*)\)$/m.exec(readFileSync(join(folder, 'blazon.mjs'), 'utf8'))
  const { dnsPort, httpsPort, certificate, token } = JSON.parse(joined)
  await relayDns(dnsPort)
  await relayHttps(httpsPort)
  const missing = await walk(certificate, token)
  for (const sign of missing) console.error(`port 443: the output lacks ${sign}`)
  console.log(missing.length === 0 ? 'port 443: the walk of docs/start/domain.md works' : 'port 443: FAILED')
  process.exitCode = missing.length === 0 ? 0 : 1
} finally {
  if (server.exitCode === null) {
    server.kill('SIGTERM')
    await once(server, 'close')
  }
  rmSync(state, { recursive: true, force: true, maxRetries: 20 })
}
process.exit()

/** The address of both agents is on this machine, and so is the system's resolver. */
function makeNetwork() {
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  execFileSync('ip', ['address', 'add', `${ADDRESS}/32`, 'dev', 'lo'])
  for (const [name, text] of [
    ['resolv.conf', `nameserver ${HOST}\n`],
    ['hosts', `${HOST} localhost\n`],
  ]) {
    writeFileSync(join(state, name), text)
    execFileSync('mount', ['--bind', join(state, name), `/etc/${name}`])
  }
}

/** Waits until the server says that it runs. */
function running() {
  let output = ''
  return new Promise((resolve, reject) => {
    server.stdout.on('data', (data) => {
      output += data
      if (output.includes('Ctrl-C')) resolve()
    })
    server.once('close', () => reject(new Error(`npm start -- --agents ended:\n${output}`)))
  })
}

async function relayDns(port) {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const asking = createSocket('udp4')
    asking.once('message', (answer) => {
      socket.send(answer, from.port, from.address)
      asking.close()
    })
    asking.send(question, port, HOST)
  })
  socket.bind(53, HOST)
  await once(socket, 'listening')
}

/** Passes bytes on: TLS ends behind it. */
async function relayHttps(port) {
  const relay = createServer((socket) => {
    const other = connect(port, HOST)
    socket.on('error', () => other.destroy())
    other.on('error', () => socket.destroy())
    socket.pipe(other).pipe(socket)
  })
  relay.listen(443, ADDRESS)
  await once(relay, 'listening')
}

/** The signs that the output of the page's commands lacks. */
async function walk(certificate, token) {
  writeFileSync(join(state, 'ca.pem'), certificate)
  const page = readFileSync('docs/start/domain.md', 'utf8')
  const [, block] = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)][1]
  const lines = block.replaceAll('node blazon.mjs', TOOL).replaceAll('/tmp/agents', folder)
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(state, 'ca.pem'), BLAZON_TOKEN: token }
  const shell = spawn('sh', ['-ec', lines], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (output += data))
  const [status] = await once(shell, 'close')
  const missing = SIGNS.filter((sign) => !sign.test(output))
  if (status !== 0 || missing.length > 0) console.error(output)
  return status === 0 ? missing : [`exit code 0 (found ${status})`, ...missing]
}
