// Values of vectors that JSON has no form for: an object whose only member is `$` stands for one of them.

const SPECIAL: Record<string, (argument: unknown) => unknown> = {
  undefined: () => undefined,
  function: () => () => 1,
  symbol: () => Symbol('s'),
  bigint: () => 1n,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  map: () => new Map([['a', 1]]),
  set: () => new Set([1]),
  bytes: () => Uint8Array.of(1, 2),
  date: (time) => new Date(time as number),
  throws: () => ({
    get x() {
      throw new Error('no')
    },
  }),
  boxed: Object,
  /** An array with a hole at an index. */
  hole: (index) => {
    const array = Array.from({ length: (index as number) + 2 }, (_, i) => i)
    delete array[index as number]
    return array
  },
  nested: (depth) => {
    let value: unknown[] = []
    for (let i = 1; i < (depth as number); i++) value = [value]
    return value
  },
}

/** The value that a vector's `value` stands for; `{ "$": ["root"] }` is the whole of it once more. */
export function reviveValue(source: unknown): unknown {
  const root: { value?: unknown } = {}
  const later: (() => void)[] = []
  const revive = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(revive)
    const [name, argument] = specialOf(part)
    if (name !== undefined) return SPECIAL[name]!(argument)
    const object: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(part)) {
      const set = (value: unknown) =>
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
      set(null)
      if (specialOf(member)[0] === 'root') later.push(() => set(root.value))
      else set(revive(member))
    }
    return object
  }
  root.value = revive(source)
  for (const set of later) set()
  return root.value
}

function specialOf(part: unknown): [name?: string, argument?: unknown] {
  if (typeof part !== 'object' || part === null) return []
  const special = (part as { $?: unknown }).$
  return Array.isArray(special) ? (special as [string, unknown]) : []
}
