// The Worker: its bundle, and the local runtime that runs it. Clients reach it directly. Wrangler's development server
// would be in between, and on a busy machine it has answered instead of the Worker (503, "Your worker restarted
// mid-request") although nothing had changed.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'

const BUILT = 'dist/worker'
const AGENTS = 'edge/site/agents'
const ENDING = '.adl.json'

/**
 * @typedef {{ type: 'ESModule', path: string, contents: string }
 *   | { type: 'CompiledWasm', path: string, contents: Buffer<ArrayBuffer> }} Module
 * @typedef {{ modulesRoot: string, modules: Module[] }} Bundle Miniflare's description. The first module is the main one.
 */

/** @type {Map<string, Promise<Bundle>>} By entry: a process that starts a Worker several times bundles it once. */
const bundles = new Map()

/**
 * Bundles a Worker for workerd like a deployment: under its condition, with the module in a separate file. Writes no
 * files: `modulesRoot` is the base of the modules' paths.
 * @param {string} entry
 * @returns {Promise<Bundle>}
 */
export function bundleWorker(entry) {
  const path = resolve(entry)
  const made = bundles.get(path) ?? bundleOf(path)
  bundles.set(path, made)
  return made
}

async function bundleOf(entry) {
  // Slow to load, and `npm start` needs none of it.
  const { bundle } = await import('./bundler.mjs')
  const modulesRoot = resolve(BUILT)
  const { outputFiles } = await bundle({
    entryPoints: [entry],
    outdir: modulesRoot,
    conditions: ['workerd', 'worker'],
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    external: ['cloudflare:*'],
  })
  const modules = outputFiles.map(({ path, text, contents }) =>
    typeOf(path) === 'ESModule'
      ? { type: 'ESModule', path, contents: text }
      : { type: 'CompiledWasm', path, contents: Buffer.from(contents) },
  )
  return { modulesRoot, modules: mainFirst(modules) }
}

const typeOf = (name) => (name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule')

const mainFirst = (modules) => modules.sort((a, b) => Number(b.type === 'ESModule') - Number(a.type === 'ESModule'))

/** Keeps the bundle of the Worker for `npm start`, which would need as long to make it as for all else. */
export async function buildWorker() {
  const { modules } = await bundleWorker('edge/worker.ts')
  await mkdir(BUILT, { recursive: true })
  for (const { path, contents } of modules) await writeFile(path, contents)
}

/**
 * The kept bundle of a checkout.
 * @returns {Bundle}
 */
export function builtWorker(root = '.') {
  const modulesRoot = resolve(root, BUILT)
  const modules = readdirSync(modulesRoot).map((name) => {
    const path = join(modulesRoot, name)
    return typeOf(name) === 'ESModule'
      ? { type: 'ESModule', path, contents: readFileSync(path, 'utf8') }
      : { type: 'CompiledWasm', path, contents: readFileSync(path) }
  })
  return { modulesRoot, modules: mainFirst(modules) }
}

/** Writes agents.js of the build: the documents that the Worker serves before anything is published. */
export async function buildAgents(folder) {
  const files = readdirSync(AGENTS).filter((file) => file.endsWith(ENDING))
  const entries = files
    .sort()
    .map(async (file) => [file.slice(0, -ENDING.length), await readFile(`${AGENTS}/${file}`, 'utf8')])
  await writeFile(`${folder}/agents.js`, `export default new Map(${JSON.stringify(await Promise.all(entries))})\n`)
  await writeFile(`${folder}/agents.d.ts`, 'declare const agents: ReadonlyMap<string, string>\nexport default agents\n')
}

/**
 * The options for Miniflare in a configuration of Wrangler, which would take seconds to load.
 * @param {string} file
 * @returns {import('miniflare').WorkerOptions}
 */
export function optionsIn(file) {
  // JSON with comments is an expression of JavaScript.
  const config = runInNewContext(`(${readFileSync(file, 'utf8')})`)
  const { compatibility_date: compatibilityDate, assets, durable_objects, r2_buckets, ratelimits, vars } = config
  const named = (list, make) => Object.fromEntries(list.map((one) => [one.binding ?? one.name, make(one)]))
  return {
    compatibilityDate,
    bindings: { ...vars },
    durableObjects: named(durable_objects.bindings, ({ class_name }) => ({ className: class_name, useSQLite: true })),
    r2Buckets: named(r2_buckets, ({ bucket_name }) => ({ id: bucket_name })),
    ratelimits: named(ratelimits, ({ simple }) => ({ simple: { ...simple } })),
    assets: {
      directory: resolve(file, '..', assets.directory),
      binding: assets.binding,
      routerConfig: {
        has_user_worker: true,
        static_routing: { asset_worker: [], user_worker: [...assets.run_worker_first] },
      },
      assetConfig: { compatibility_date: compatibilityDate, compatibility_flags: [] },
    },
  }
}

/**
 * Starts it. `bundle` has its modules, `bindings` are its settings, which override those of the file. Without `state`
 * nothing is kept.
 * @param {{ root?: string, bundle: Bundle, host: string, port: number, bindings: Readonly<Record<string, string>>,
 *   state?: string, log?: import('miniflare').LogLevel }} options
 */
export async function startLocal({ root = '.', bundle, host, port, bindings, state, log }) {
  // Slow to load, and the build does not need it.
  const { Log, LogLevel, Miniflare } = await import('miniflare')
  const options = optionsIn(join(root, 'edge/wrangler.jsonc'))
  const miniflare = new Miniflare({
    ...options,
    ...bundle,
    name: 'blazon',
    host,
    port,
    bindings: { ...options.bindings, ...bindings },
    // The same place as wrangler's.
    ...(state !== undefined && { defaultPersistRoot: join(state, 'v3') }),
    // Avoids a request for the location of this machine.
    cf: false,
    log: new Log(log ?? LogLevel.ERROR),
  })
  await miniflare.ready
  return miniflare
}
