// Runs the Worker of edge/wrangler.jsonc in the local runtime. Clients reach it directly. Wrangler's development server
// would be in between, and on a busy machine it has answered instead of the Worker (503, "Your worker restarted
// mid-request") although nothing had changed.
import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler'
import { bundleWorker } from './bundle-worker.mjs'

/** Starts it. `bindings` are its settings, which override those of the file. Without `state` nothing is kept. */
export async function startLocal({ root = '.', host, port, bindings, state, log = LogLevel.ERROR }) {
  const { workerOptions } = optionsOf(join(root, 'edge/wrangler.jsonc'))
  const { modulesRules, ...options } = workerOptions
  const miniflare = new Miniflare({
    ...options,
    ...(await bundleWorker(join(root, 'edge/worker.ts'))),
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
