import { BUILDS } from './builds.ts'

/** Whether this is the long run. */
export const IS_WHOLE = process.env['BLAZON_CASES'] === 'whole'

/** The number of random cases of a test: all of them in `npm run soak -- random`, the first fifth in `npm test`. */
export const casesOf = (all: number): number => (IS_WHOLE ? all : Math.ceil(all / 5))

/** The builds of the core for long inputs: both in `npm run soak -- random`, the one with SIMD in `npm test`. */
export const LONG_BUILDS = IS_WHOLE ? BUILDS : BUILDS.slice(0, 1)
