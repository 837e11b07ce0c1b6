// Third-party packages to measure and compare with, fetched on first use. Nothing else depends on them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'
import { parse } from 'yaml'
import { ROOT, readJson, readText } from '../../scripts/files.mjs'
import { npmCommand } from '../../scripts/setup.mjs'

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
// Long runs bundle this module elsewhere, so the file is found from the root.
const SETS = parse(readText(join(ROOT, 'test/support/peers.yaml')).replaceAll('PLATFORM', platform))
export const PEERS = SETS.bench

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

/** The program of yaml-language-server, for Node. */
export const editorServer = () =>
  resolve(fetched('yaml-language-server', 'editors'), 'node_modules/yaml-language-server/bin/yaml-language-server')

/** The program that packs extensions of VS Code, for Node. */
export const extensionPacker = () => resolve(fetched('@vscode/vsce', 'packing'), 'node_modules/@vscode/vsce/vsce')

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
    const { dependencies } = readJson(`${folder}/package.json`)
    const isThere = Object.entries(versions).every(([name, version]) => dependencies[name] === version)
    return isThere && existsSync(`${folder}/load.mjs`)
  } catch {
    return false
  }
}
