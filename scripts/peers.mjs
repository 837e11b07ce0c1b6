// What others made, to measure and to compare with: fetched when first needed, in exact versions. Nothing here depends on it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { npmCommand } from './setup.mjs'

export const PEERS = {
  canonicalize: '5.1.0',
  handlebars: '4.7.10',
  minisearch: '7.2.0',
  mustache: '4.2.0',
  picomatch: '4.0.7',
}
const FOLDER = '.scratch/bench-peers'

/** A peer's module, out of a project of their own. */
export async function peer(name) {
  if (!(name in PEERS)) throw new RangeError(`no peer ${name}: add it to PEERS`)
  const loader = `${FOLDER}/load.mjs`
  if (!isFetched()) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(`${FOLDER}/package.json`, '{"private":true}\n')
    const [command, ...first] = npmCommand()
    const specs = Object.entries(PEERS).map((pair) => pair.join('@'))
    const options = ['--prefix', FOLDER, '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund']
    const args = [...first, 'install', ...options, ...specs]
    const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], timeout: 300_000 })
    if (status !== 0) throw new Error('npm could not fetch the peers; see its messages above')
    // Imports are resolved from the file that they stand in.
    writeFileSync(loader, 'export const load = (name) => import(name)\n')
  }
  const { load } = await import(pathToFileURL(loader).href)
  return load(name)
}

function isFetched() {
  try {
    const { dependencies } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'))
    return Object.entries(PEERS).every(([name, version]) => dependencies[name] === version)
  } catch {
    return false
  }
}
