// The Worker of edge/wrangler.jsonc in the local runtime. Who asks reaches it at once: the development server of wrangler would stand
// between, and has on a busy machine answered in the Worker's place (503, "Your worker restarted mid-request"), though
// nothing had changed.
import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler'
import { bundleWorker } from './bundle-worker.mjs'

/** Starts it. `bindings` are its settings, and come before those of the file; without `state` nothing is kept. */
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
    // Where wrangler has it.
    ...(state !== undefined && { defaultPersistRoot: join(state, 'v3') }),
    // Nobody is asked where this machine is.
    cf: false,
    log: new Log(log),
  })
  await miniflare.ready
  return miniflare
}
