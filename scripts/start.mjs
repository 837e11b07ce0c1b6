// `npm start`: installs and builds anything missing, runs the Worker and the page on this machine, and ends without
// leftovers.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './setup.mjs'

const HOST = '127.0.0.1'
const DEFAULT_PORT = 8787
const START_SECONDS = 60
const STOP_SECONDS = 5

const USAGE = `npm start [-- --port N --no-build]

  --port N   serve on this port (default ${DEFAULT_PORT}, or the next free one)
  --no-build serve what dist/ holds already
  --help     this text`

/**
 * Nothing is sent anywhere: no metrics, no error reports, no geolocation. And only the Worker's own routes are served:
 * wrangler's explorer would run SQL on the stored data for anyone who reaches the port.
 */
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  X_LOCAL_EXPLORER: 'false',
  WRANGLER_LOG: 'warn',
}

/**
 * Tokens are derived from it. A new one at each start, unless TOKEN_SECRET is set. It is in no command line and no
 * file.
 */
const secret = process.env.TOKEN_SECRET ?? randomBytes(32).toString('hex')
Object.assign(process.env, QUIET)

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const options = readOptions(process.argv.slice(2))
ensureInstalled()
const port = await choosePort(options.port)
if (options.build) build()
await serve(port)

function readOptions(args) {
  const known = { port: { type: 'string' }, 'no-build': { type: 'boolean' }, help: { type: 'boolean' } }
  let values
  try {
    values = parseArgs({ args, options: known }).values
  } catch (error) {
    end(2, `${error.message}\n\n${USAGE}`)
  }
  if (values.help) {
    console.log(USAGE)
    process.exit(0)
  }
  return { port: values.port === undefined ? undefined : readPort(values.port), build: !values['no-build'] }
}

function readPort(text) {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) end(2, `--port takes 1 to 65535, not ${text}`)
  return port
}

/** The wanted port or a message; by default the usual one, or the next that is free. */
async function choosePort(wish) {
  if (wish !== undefined) {
    if (await isFree(wish)) return wish
    end(1, `port ${wish} is taken by another program; choose another with --port, or leave it out`)
  }
  for (let candidate = DEFAULT_PORT; candidate < DEFAULT_PORT + 100; candidate++) {
    if (!(await isFree(candidate))) continue
    if (candidate !== DEFAULT_PORT) say(`port ${DEFAULT_PORT} is taken by another program; using ${candidate}`)
    return candidate
  }
  end(1, `ports ${DEFAULT_PORT} to ${DEFAULT_PORT + 99} are all taken; choose one with --port`)
}

function isFree(candidate) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(candidate, HOST, () => probe.close(() => resolve(true)))
  })
}

function build() {
  say('building')
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  if (status !== 0) end(1, 'the build failed; see its messages above')
}

async function serve(port) {
  // Imported after the installation, which provides it.
  const { unstable_startWorker } = await import('wrangler')
  const origin = `http://${HOST}:${port}`
  const text = (value) => ({ type: 'plain_text', value })
  const worker = await unstable_startWorker({
    config: 'edge/wrangler.jsonc',
    // Both names of this machine are served: people type one and are shown the other.
    bindings: { TOKEN_SECRET: text(secret), PUBLIC_ORIGIN: text(`${origin} http://localhost:${port}`) },
    dev: {
      server: { hostname: HOST, port },
      // A debugger would let everybody on this machine read the secret.
      inspector: false,
      logLevel: 'warn',
      persist: '.wrangler/state',
      watch: false,
    },
  })
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(0), STOP_SECONDS * 1000).unref()
    worker.dispose().finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  stopWithParent(stop)

  if (!(await answers(`${origin}/healthz`))) {
    if (stopping) return
    stopping = true
    await worker.dispose()
    end(1, `the server did not answer within ${START_SECONDS} seconds`)
  }
  if (stopping) return
  const token = await giveToken(origin)
  say(`running, everything stays on this machine; Ctrl-C stops it

  ${origin}/          what there is
  ${origin}/app/      the page
  ${origin}/healthz   the state of the Worker
  ${origin}/directory/   the directory, with the token below for its operator
  ${origin}/.well-known/adl-agents   the agents that are published here

  BLAZON_TOKEN=${token} blazon publish FOLDER --to ${origin}
`)
}

/** A token for the person at the terminal, issued like any other: by the Worker, for the secret. */
async function giveToken(origin) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ scope: 'operate', holders: ['start'] })
  const response = await fetch(`${origin}/v1/tokens`, { method: 'POST', headers, body })
  const { tokens, detail } = await response.json()
  return tokens?.start ?? `(none: ${detail})`
}

/** npm does not forward every signal. When the parent process is gone, nobody is left to stop the server. */
function stopWithParent(stop) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}

/** True when `url` answers 200 before the time is over. */
async function answers(url) {
  const until = Date.now() + START_SECONDS * 1000
  while (Date.now() < until) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

function say(text) {
  console.log(`blazon: ${text}`)
}

function end(code, message) {
  console.error(`blazon: ${message}`)
  process.exit(code)
}
