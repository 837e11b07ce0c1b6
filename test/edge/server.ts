// The Worker as edge/wrangler.jsonc describes it, in the real local runtime, on a free port.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unstable_startWorker } from 'wrangler'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export const PUBLISH_TOKEN = 'token-of-the-tests'

export interface Server {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  stop(): Promise<void>
}

/** Starts the Worker with what `npm run build` left in dist/. */
export async function startServer(): Promise<Server> {
  if (!existsSync(`${ROOT}dist/site/app/index.html`)) throw new Error('dist/site is missing: npm run build makes it')
  Object.assign(process.env, {
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  })
  const worker = await unstable_startWorker({
    config: `${ROOT}edge/wrangler.jsonc`,
    bindings: { PUBLISH_TOKEN: { type: 'plain_text', value: PUBLISH_TOKEN } },
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      inspector: false,
      logLevel: 'error',
      persist: false,
      watch: false,
    },
  })
  await worker.ready
  return { origin: (await worker.url).origin, stop: () => worker.dispose() }
}
