const IS_WHOLE = process.env['BLAZON_CASES'] === 'whole'

/** The number of random cases of a test: all of them in `npm run soak -- random`, the first fifth in `npm test`. */
export const casesOf = (all: number): number => (IS_WHOLE ? all : Math.ceil(all / 5))
