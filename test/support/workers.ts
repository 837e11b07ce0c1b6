// Workers for the tests of a file: bundled before them, stopped after them.
import { afterAll, beforeAll } from 'vitest'
import { prepareSite, type Runtime, type RuntimeOptions, type Site, startRuntime } from './runtime.ts'

export interface Workers {
  /** Starts a Worker with the storage of the previous one of this name; without a name, with empty storage. */
  start(options?: RuntimeOptions, storage?: string): Promise<Runtime>
}

export function workersOf(entry = 'edge/worker.ts'): Workers {
  let site: Site
  const started: Runtime[] = []
  beforeAll(async () => {
    site = await prepareSite(entry)
  })
  afterAll(async () => {
    for (const runtime of started) await runtime.kill()
    site?.remove()
  })
  return {
    async start(options, storage = `${started.length}`) {
      const runtime = await startRuntime({ ...site, persist: `${site.persist}-${storage}` }, options)
      started.push(runtime)
      return runtime
    },
  }
}
