// Faults that cannot change an answer: the file, the source line, what the fault makes of its part, and why.
export const EQUIVALENT = [
  {
    file: 'bindings/adl/provision/provision.ts',
    source: 'const { successor } = successionOf(agent, new Date(0))',
    after: '(0 + 1)',
    why: 'the time decides only the days that are left, which are not read here',
  },
  {
    file: 'edge/objects/directory-map.ts',
    source: 'const RETRY_MS = 1000',
    after: '(1000 + 1)',
    why: 'a pause is a millisecond longer',
  },
  {
    file: 'bindings/directory/card-index.ts',
    source: 'if (now < this.#next) return',
    after: '{}',
    why: 'saves asking the store, which has nothing that expires before',
  },
  {
    file: 'bindings/runs/redaction.ts',
    source: 'if (kind !== OBJECT && kind !== ARRAY) return',
    after: '{}',
    why: 'saves a walk: other values have no children',
  },
]
