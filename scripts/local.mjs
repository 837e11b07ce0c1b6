// Runs the Worker of edge/wrangler.jsonc in the local runtime. Clients reach it directly. Wrangler's development server
// would be in between, and on a busy machine it has answered instead of the Worker (503, "Your worker restarted
// mid-request") although nothing had changed.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { Log, LogLevel, Miniflare } from 'miniflare'

/**
 * The options for Miniflare in a configuration of Wrangler, as Wrangler makes them: loading it would take seconds, longer
 * than all else.
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
 */
export async function startLocal({ root = '.', bundle, host, port, bindings, state, log = LogLevel.ERROR }) {
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
    log: new Log(log),
  })
  await miniflare.ready
  return miniflare
}
