// The options of the local runtime are those that Wrangler makes of the same configuration.
import { expect, test } from 'vitest'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { optionsIn } from '../../scripts/worker.mjs'

test('nothing of the configuration is lost or added', () => {
  const ours = optionsIn('edge/wrangler.jsonc') as Record<string, unknown>
  const { workerOptions } = unstable_getMiniflareWorkerOptions('edge/wrangler.jsonc')
  const { ratelimits, modulesRules: _, ...theirs } = workerOptions as Record<string, unknown>
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.values(value).every((one) => isEmpty(one))
  const stated = Object.entries(theirs).filter(([, value]) => value !== undefined && !isEmpty(value))
  expect(ours).toEqual({ ...Object.fromEntries(stated), ratelimits: expect.anything() })
  // Wrangler repeats the name and the number of each limit in it.
  expect(ratelimits).toMatchObject(ours['ratelimits'] as object)
  expect(Object.keys(ratelimits as object)).toEqual(Object.keys(ours['ratelimits'] as object))
})
