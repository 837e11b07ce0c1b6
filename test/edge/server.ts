// The Worker as edge/wrangler.jsonc describes it, in the real local runtime, on a free port.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unstable_startWorker } from 'wrangler'
import { freePort } from '../support/port.ts'
import { TOKEN_SECRET } from './tokens.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Server {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  stop(): Promise<void>
}

/** Starts the Worker with what `npm run build` left in dist/. Settings are for who does not ask it directly. */
export async function startServer(settings: Readonly<Record<string, string>> = {}, root = ROOT): Promise<Server> {
  if (!existsSync(`${root}dist/site/app/index.html`)) throw new Error('dist/site is missing: npm run build makes it')
  Object.assign(process.env, {
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const worker = await unstable_startWorker({
    config: `${root}edge/wrangler.jsonc`,
    bindings: Object.fromEntries(
      Object.entries({ TOKEN_SECRET, PUBLIC_ORIGIN: origin, ...settings }).map(([name, value]) => [
        name,
        { type: 'plain_text' as const, value },
      ]),
    ),
    dev: {
      server: { hostname: '127.0.0.1', port },
      inspector: false,
      logLevel: 'error',
      persist: false,
      watch: false,
    },
  })
  await worker.ready
  return { origin, stop: () => worker.dispose() }
}
