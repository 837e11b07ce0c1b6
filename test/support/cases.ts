import { BUILDS } from './builds.ts'

/** Whether this is the long run. */
export const IS_WHOLE = process.env['BLAZON_CASES'] === 'whole'

/** The number of random cases of a test: all of them in `npm run soak -- random`, the first fifth in `npm test`. */
export const casesOf = (all: number): number => (IS_WHOLE ? all : Math.ceil(all / 5))

/** The items that `npm test` tries of a list, one in five from `first` on; all of them in `npm run soak -- random`. */
export function* sampleOf<T>(items: Iterable<T>, first = 0): Generator<T> {
  let i = 0
  for (const item of items) if (i++ % 5 === first % 5 || IS_WHOLE) yield item
}

/** The builds of the core for long inputs: both in `npm run soak -- random`, the one with SIMD in `npm test`. */
export const LONG_BUILDS = IS_WHOLE ? BUILDS : BUILDS.slice(0, 1)
