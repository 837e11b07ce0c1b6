// `npm start`: installs and builds anything missing, runs the Worker and the page on this machine (serve.mjs), and ends
// without leftovers.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { HOST, isFree, lock, PORT_TAKEN } from './address.mjs'
import { ROOT } from './files.mjs'
import { ensureInstalled } from './setup.mjs'

const DEFAULT_PORT = 8787
const STOP_SECONDS = 5
const STATE = '.wrangler/state'

const USAGE = `npm start [-- --port N --state FOLDER --site FOLDER --agents FOLDER --samples --no-build]

  --port N        serve on this port (default ${DEFAULT_PORT}, or the next free one)
  --state FOLDER  keep there what is published (default ${STATE}); one server at a time for a folder
  --site FOLDER   serve the agent whose documents these are, and keep nothing beside them
  --agents FOLDER serve alice.example and bob.example to this machine, and put their keys and the tool there
  --samples       put sample agents into the directory, to try the search with
  --no-build      serve what dist/ holds already
  --help          this text`

process.chdir(ROOT)
const options = readOptions(process.argv.slice(2))
let port
await takeState(options.state)
ensureInstalled()
port = await choosePort(options.port)
if (options.build) build()
await serve()

function readOptions(args) {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }]
  const known = { port: text, state: text, site: text, agents: text, samples: flag, 'no-build': flag, help: flag }
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
  if (['site', 'agents', 'samples'].filter((name) => values[name] !== undefined).length > 1)
    end(2, `--site, --agents and --samples exclude each other\n\n${USAGE}`)
  return {
    port: values.port === undefined ? undefined : readPort(values.port),
    site: values.site === undefined ? undefined : readFolder(values.site),
    samples: values.samples,
    agents: values.agents && resolve(process.env.INIT_CWD ?? '.', values.agents),
    state: relative('.', values.state ?? ((values.site ?? values.agents) === undefined ? STATE : newState())) || '.',
    build: !values['no-build'],
  }
}

/** As the shell of who asks has it, which npm says; this process is in the checkout. */
function readFolder(text) {
  const folder = resolve(process.env.INIT_CWD ?? '.', text)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  end(2, `--site takes a folder with the documents of an agent; ${folder} is none`)
}

/** The folder is the whole presence: of an earlier run nothing is left. */
function newState() {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-site-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function readPort(text) {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) end(2, `--port takes 1 to 65535, not ${text}`)
  return port
}

/** Two servers on the same data would break it; and nothing is installed or built under one that runs. */
async function takeState(folder) {
  const myself = () => `${port === undefined ? 'being started' : `at http://${HOST}:${port}/`} (process ${process.pid})`
  const stale = () => say(`the server that had ${folder} was killed; going on`)
  const holder = await lock(folder, myself, stale).catch((error) => {
    say(`cannot see whether another server has ${folder} (${error.message}); going on`)
  })
  if (holder === undefined) return
  end(
    1,
    `a server has ${folder} already, ${holder}; use it, or stop it first, or give this one its own data with --state FOLDER`,
  )
}

/** The wanted port or a message; by default the usual one, or the next that is free and was not `lost` to somebody. */
async function choosePort(wish, lost) {
  if (wish !== undefined) {
    if (wish !== lost && (await isFree(wish))) return wish
    end(1, `port ${wish} is taken by another program; choose another with --port, or leave it out`)
  }
  for (let candidate = (lost ?? DEFAULT_PORT - 1) + 1; candidate < DEFAULT_PORT + 100; candidate++) {
    if (!(await isFree(candidate))) continue
    if (candidate !== DEFAULT_PORT) say(`port ${lost ?? DEFAULT_PORT} is taken by another program; using ${candidate}`)
    return candidate
  }
  end(1, `ports ${DEFAULT_PORT} to ${DEFAULT_PORT + 99} are all taken; choose one with --port`)
}

function build() {
  say('building, unless nothing changed')
  const start = performance.now()
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--to-serve'], { stdio: 'inherit' })
  if (status !== 0) end(1, 'the build failed; see its messages above')
  say(`built in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

/**
 * Runs serve.mjs, and ends with it. It leads a group of its own, with the servers that it starts, so that none of them is
 * left when it is killed; when this process is, its standard input ends and it stops by itself.
 */
async function serve() {
  let server
  let asked = false
  const stop = () => {
    asked = true
    server.stdin.end()
    setTimeout(() => killGroup(server), STOP_SECONDS * 1000).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  stopWithParent(stop)

  const what = ['site', 'agents'].flatMap((name) => (options[name] === undefined ? [] : [`--${name}`, options[name]]))
  if (options.samples) what.push('--samples')
  while (!asked) {
    const args = ['scripts/serve.mjs', String(port), options.state, ...what]
    server = spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'], detached: true })
    // It may be gone before it is told.
    server.stdin.on('error', () => {})
    const [code] = await once(server, 'exit')
    killGroup(server)
    if (asked) break
    if (code === null) end(1, 'the server was killed')
    if (code !== PORT_TAKEN) process.exit(code)
    port = await choosePort(options.port, port)
  }
  process.exit(0)
}

function killGroup({ pid }) {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' })
  else
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Nobody is left.
    }
}

/** npm does not forward every signal. When the parent process is gone, nobody is left to stop the server. */
function stopWithParent(stop) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}

function say(text) {
  console.log(`blazon: ${text}`)
}

function end(code, message) {
  console.error(`blazon: ${message}`)
  process.exit(code)
}
