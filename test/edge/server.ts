// The Worker as edge/wrangler.jsonc describes it, in the real local runtime, on a free port.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtWorker, bundleWorker, startLocal } from '../../scripts/worker.mjs'
import { freePort } from '../support/port.ts'
import { TOKEN_SECRET } from './tokens.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Server {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  stop(): Promise<void>
}

/** Starts the Worker with the build in dist/. Tests that send it requests directly need no settings. */
export async function startServer(settings: Readonly<Record<string, string>> = {}, root = ROOT): Promise<Server> {
  if (!existsSync(`${root}dist/site/app/index.html`)) throw new Error('dist/site is missing: npm run build makes it')
  const port = await freePort()
  const host = '127.0.0.1'
  const origin = `http://${host}:${port}`
  // A busy machine is slow, so shards get more time.
  const bindings = { TOKEN_SECRET, PUBLIC_ORIGIN: origin, SHARD_PATIENCE_MS: '60000', ...settings }
  // The checkout is bundled from its sources; a copy has just been built.
  const bundle = root === ROOT ? await bundleWorker(`${root}edge/worker.ts`) : builtWorker(root)
  const worker = await startLocal({ root, bundle, host, port, bindings })
  return { origin, stop: () => worker.dispose() }
}
