// The benchmarks are not run with the tests. What they bundle out of the sources must be there all the same.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const BUNDLED = /export \{([^{}]*)\} from '(\.\/(?:bindings|test)\/[^']+)'/g
const FOLDER = 'test/bench'

const rows = readdirSync(FOLDER).flatMap((file) =>
  Array.from(readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(BUNDLED), ([, names, path]) => {
    const wanted = names!.split(',').map((name) => name.trim())
    return [file, path!, wanted] as const
  }),
)

test('benchmarks bundle some', () => expect(rows.length).toBeGreaterThan(20))

test.each(rows)('%s finds in %s what it bundles: %j', (_, path, wanted) => {
  const text = readFileSync(path, 'utf8')
  const isThere = (name: string) => new RegExp(`^export [^=(]*\\b${name}\\b`, 'm').test(text)
  expect(wanted.filter((name) => !isThere(name))).toEqual([])
})
