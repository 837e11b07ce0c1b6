import { createRequire } from 'node:module'
import { Miniflare } from 'miniflare'
import type { SelftestResult } from '../../bindings/selftest/index.ts'
import { bundleWorker } from '../../scripts/worker.mjs'
import type { Host } from './host.ts'

export const workerd: Host = {
  name: 'workerd',
  async run(job) {
    const bundle = await bundleWorker('test/hosts/worker.ts')
    const miniflare = new Miniflare({ compatibilityDate: '2026-04-01', ...bundle })
    try {
      const response = await miniflare.dispatchFetch('http://localhost/', {
        method: 'POST',
        body: job as Uint8Array<ArrayBuffer>,
      })
      if (!response.ok) throw new Error(await response.text())
      const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string }
      const answer = new Uint8Array(await response.arrayBuffer())
      const selftest = (await (await miniflare.dispatchFetch('http://localhost/')).json()) as SelftestResult
      return { version, answer, selftest }
    } finally {
      await miniflare.dispose()
    }
  },
}
