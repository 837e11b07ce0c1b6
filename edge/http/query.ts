import { Problem } from './problem.ts'

/** How often each parameter may stand in a query. */
export type Parameters = Readonly<Record<string, 'once' | 'often'>>

/** Refuses a query with a parameter that is unknown or given twice: a misspelt option must not be an option left out. */
export function refuseOtherParameters(query: URLSearchParams, known: Parameters): void {
  const seen = new Set<string>()
  for (const name of query.keys()) {
    const times = Object.hasOwn(known, name) ? known[name] : undefined
    if (times === undefined) {
      const names = Object.keys(known).join(', ')
      throw new Problem('bad-request', `There is no parameter ${JSON.stringify(name)} here; there are: ${names}.`, {
        members: { parameter: name },
      })
    }
    if (times === 'once' && seen.has(name)) {
      throw new Problem('bad-request', `The parameter ${name} is given more than once.`, {
        members: { parameter: name },
      })
    }
    seen.add(name)
  }
}
