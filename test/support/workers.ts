// Workers for the tests of a file: bundled before them, ended after them.
import { afterAll, beforeAll } from 'vitest'
import { prepareSite, type Runtime, type RuntimeOptions, type Site, startRuntime } from './runtime.ts'

export interface Workers {
  /** Starts one that stores where the last one of this name did; without a name, where none did. */
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
