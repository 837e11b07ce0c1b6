import { Problem } from './problem.ts'

/** How often each parameter may occur in a query. */
export type Parameters = Readonly<Record<string, 'once' | 'often'>>

/** Refuses a query with an unknown or repeated parameter: a misspelt option must not be silently ignored. */
export function refuseOtherParameters(query: URLSearchParams, known: Parameters): void {
  const seen = new Set<string>()
  for (const name of query.keys()) {
    const times = Object.hasOwn(known, name) ? known[name] : undefined
    if (times === undefined) {
      const names = Object.keys(known).join(', ')
      throw new Problem('bad-request', `Unknown parameter ${JSON.stringify(name)}. Known: ${names}.`, {
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

/** The value of a parameter with a fixed set of values; undefined when it is absent. */
export function choice<Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = values.find((candidate) => candidate === text)
  if (value !== undefined) return value
  throw new Problem('bad-request', `The parameter ${name}: expected one of ${values.join(', ')}, got ${text}.`, {
    members: { parameter: name },
  })
}

/** The value of an integer parameter; undefined when it is absent. */
export function integer(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new Problem(
    'bad-request',
    `The parameter ${name}: expected an integer from ${least} to ${most}, got ${text}.`,
    {
      members: { parameter: name },
    },
  )
}
