// Third-party packages to measure and compare with, fetched on first use, in exact versions. Nothing else depends on
// them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'
import { npmCommand } from './setup.mjs'

export const PEERS = {
  '@orama/orama': '3.1.18',
  'ajv-formats': '3.0.1',
  canonicalize: '5.1.0',
  fflate: '0.8.3',
  handlebars: '4.7.10',
  minisearch: '7.2.0',
  mustache: '4.2.0',
  picomatch: '4.0.7',
}
/** Readers of other formats, for documents that conversions write. */
const SDKS = {
  '@a2a-js/sdk': '1.3.0',
  'a2a-sdk-0.3': 'npm:@a2a-js/sdk@0.3.14',
  '@modelcontextprotocol/sdk': '1.32.2',
}
/** Other implementations of signed requests and responses (RFC 9421). */
const SIGNERS = {
  'http-message-signatures': '1.0.6',
  'web-bot-auth': '0.1.3',
}
/** WebSockets for Node, as client and server. */
const SOCKETS = { ws: '8.23.0' }
/** Other libraries that read and check DNS answers. */
const DNS = {
  '@relaycorp/dnssec': '1.12.0',
  'dns-packet': '5.6.1',
}
/** Later releases of Node than the running one: their binaries for this machine. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const NODES = { 'node-22': `npm:${NODE}@22.23.3`, 'node-24': `npm:${NODE}@24.21.0` }
/** A runner of agents, for a session that our hook records. */
const RUNNERS = { '@openai/codex': '0.171.0' }
/** MCP servers: a real one with the handshake, and the library for one without. */
const SERVERS = { '@modelcontextprotocol/server-memory': '2026.8.31', '@modelcontextprotocol/server': '2.4.0' }
const SETS = {
  dns: DNS,
  bench: PEERS,
  mcp: SERVERS,
  nodes: NODES,
  runners: RUNNERS,
  sdk: SDKS,
  signers: SIGNERS,
  sockets: SOCKETS,
}

/** A package's module, from a separate project. Anything after the package's name is a path within it. */
export async function peer(name, set = 'bench') {
  const { load } = await import(pathToFileURL(`${fetched(name, set)}/load.mjs`).href)
  return load(name)
}

/** The path of another release's program: `node-22`, `node-24`. */
export const nodeOf = (name) =>
  resolve(fetched(name, 'nodes'), 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** The program of a runner, for Node. */
export const runnerOf = (name) => resolve(fetched(name, 'runners'), 'node_modules', name, 'bin', 'codex.js')

/** The folder with the MCP servers of the set `mcp`. */
export const serverFolder = () => resolve(fetched('@modelcontextprotocol/server', 'mcp'))

/** The folder of a set; fetches the set if it is missing. */
function fetched(name, set) {
  const versions = SETS[set]
  if (!Object.keys(versions).some((known) => name === known || name.startsWith(`${known}/`))) {
    throw new RangeError(`no peer ${name}: add it to the set ${set}`)
  }
  const folder = `.scratch/${set}-peers`
  if (!isFetched(folder, versions)) fetchAside(folder, versions)
  return folder
}

/**
 * Fetches into this process's own folder and renames it when it is complete: several processes may need a set at once.
 */
function fetchAside(folder, versions) {
  const aside = `${folder}.${process.pid}-${threadId}`
  mkdirSync(aside, { recursive: true })
  writeFileSync(`${aside}/package.json`, '{"private":true}\n')
  // Imports are resolved from the file that contains them.
  writeFileSync(`${aside}/load.mjs`, 'export const load = (name) => import(name)\n')
  const [command, ...first] = npmCommand()
  const specs = Object.entries(versions).map((pair) => pair.join('@'))
  const options = ['--prefix', aside, '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund']
  const args = [...first, 'install', ...options, ...specs]
  const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], timeout: 300_000 })
  if (status !== 0) throw new Error('npm could not fetch the peers; see its messages above')
  try {
    // The folder has other versions than the wanted ones.
    if (!isFetched(folder, versions)) rmSync(folder, { recursive: true, force: true })
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (!isFetched(folder, versions)) throw error
  }
}

function isFetched(folder, versions) {
  try {
    const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    const isThere = Object.entries(versions).every(([name, version]) => dependencies[name] === version)
    return isThere && existsSync(`${folder}/load.mjs`)
  } catch {
    return false
  }
}
