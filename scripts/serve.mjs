// The server of `npm start`: `node scripts/serve.mjs PORT FOLDER [--site FOLDER | --agents FOLDER | --samples]`. It
// runs until its standard input ends: start.mjs holds the other end, which closes however that process ends.
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { LogLevel } from 'miniflare'
import { describePair, publishPair, startPair } from '../test/support/network/pair.mjs'
import { HOST, PORT_TAKEN, send, TOOL } from './address.mjs'
import { describeSamples, publishSampleAgent, publishSamples } from './samples.mjs'
import { describeSite, publishSite, readSite } from './site.mjs'
import { builtWorker, startLocal } from './worker.mjs'

const START_SECONDS = 180
/** The default of `blazon runs hook` and `blazon runs tap`. */
const TENANT = 'local'

/** All tokens are derived from it. It is new at each start unless TOKEN_SECRET is set, and never in a file. */
const secret = process.env.TOKEN_SECRET ?? randomBytes(32).toString('hex')
const [port, folder, what, whatFolder] = process.argv.slice(2)
const origin = `http://${HOST}:${port}`
const site = what === '--site' ? await readSite(whatFolder).catch(refuse) : undefined
const pair = what === '--agents' ? await startPair(whatFolder, port).catch(refuse) : undefined

const starting = startLocal({
  bundle: builtWorker(),
  host: HOST,
  port: Number(port),
  state: resolve(folder),
  // Both names of this machine are served: people type one and see the other.
  bindings: {
    TOKEN_SECRET: secret,
    PUBLIC_ORIGIN: `${origin} http://localhost:${port}`,
    ...siteSettings(),
    ...pair?.settings,
  },
  log: LogLevel.WARN,
})
starting.catch((error) => {
  if (error.code === 'ERR_ADDRESS_IN_USE') process.exit(PORT_TAKEN)
  console.error(`blazon: the server did not start: ${error.message}`)
  process.exit(1)
})
let stopping = false
const stop = (code) => {
  if (stopping) return
  stopping = true
  starting.then((worker) => worker.dispose()).finally(() => process.exit(code))
}
process.stdin.on('end', () => stop(0)).resume()
// A terminal signals start.mjs only, which then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))

const late = setTimeout(() => {
  console.error(`blazon: the server did not answer within ${START_SECONDS} seconds`)
  process.exit(1)
}, START_SECONDS * 1000)
// Sends no request before this server owns the port: another program there would receive the secret.
await starting
while (!stopping && !(await answers(`${origin}/healthz`))) await new Promise((resolve) => setTimeout(resolve, 100))
clearTimeout(late)
if (!stopping) {
  const token = await giveToken('operate', 'start')
  if (site !== undefined) console.log(`${describeSite(site, await publishSite(site, { origin, token }), origin)}\n`)
  if (pair !== undefined) await showPair(token).catch(refuse)
  if (what === '--samples') await showSamples(token).catch(refuse)
  if (!stopping)
    console.log(`blazon: running, everything stays on this machine; Ctrl-C stops it

  ${origin}/          ${site === undefined ? 'what there is' : 'the page of the agent'}
  ${origin}/app/      the page
  ${origin}/docs/     the docs, with a search
  ${origin}/healthz   the state of the Worker
  ${origin}/directory/   the directory, with the token below for its operator
  ${origin}/.well-known/adl-agents   the agents that are published here
  ${origin}/v2/       the registry of agents, with the token below as its password
  ${origin}/v2/DEVELOPER/NAME   the page of an agent in it

  BLAZON_TOKEN=${token} ${TOOL} publish FOLDER --server ${origin}

  To send the runs of agents here, and to read them (docs/guide/edge.md, Runs):
  export WRITE_TOKEN=${await giveToken('write', TENANT)}
  export AUDIT_TOKEN=${await giveToken('audit', TENANT)}
${what === undefined ? '\n  To fill the directory with sample agents, end this and run: npm start -- --samples\n' : ''}`)
}

function refuse(error) {
  console.error(`blazon: ${error.message}`)
  process.exit(2)
}

/** Both names of this machine belong to the agent. Its key is only in its own file, and in no command line. */
function siteSettings() {
  if (site === undefined) return {}
  const hosts = { HOSTS: `127.0.0.1:${port}=${site.name} localhost:${port}=${site.name}` }
  return site.key === undefined ? hosts : { ...hosts, AGENT_KEYS: JSON.stringify({ [site.name]: site.key.pem }) }
}

async function showPair(token) {
  await publishPair(pair, { origin, token })
  console.log(describePair(pair, origin))
}

async function showSamples(token) {
  const count = await publishSamples({ origin, token })
  console.log(describeSamples(count, { origin, page: await publishSampleAgent({ origin, token }) }))
}

/** A token for the person at the terminal. The Worker issues it in exchange for the secret, like any other token. */
async function giveToken(scope, holder) {
  const body = JSON.stringify({ scope, holders: [holder] })
  const response = await send('/v1/tokens', body, { origin, token: secret })
  const { tokens, detail } = await response.json()
  return tokens?.[holder] ?? `(none: ${detail})`
}

async function answers(url) {
  const response = await fetch(url).catch(() => undefined)
  return response?.ok === true
}
