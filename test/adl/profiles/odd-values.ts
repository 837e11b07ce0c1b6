/** Values of every type, edge cases, and names that all objects inherit. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  2,
  3,
  1.5,
  1e308,
  9007199254740991,
  '',
  ' ',
  'a',
  '__proto__',
  '2026-01-01T00:00:00Z',
  'https://example.com/a',
  'a@example.com',
  'x'.repeat(500),
  '\u0000\u001b[31m\u202e',
  [],
  [null],
  [[]],
  [{}],
  ['a', 1],
  {},
  { a: 1 },
  { x_acme: 1 },
  JSON.parse('{"__proto__": {"tier": 3}}'),
  { constructor: null, toString: {}, hasOwnProperty: 1 },
]

/** Every place in a value, as a path of names and indices. */
export function placesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, part]) => placesOf(part, [...path, name]))]
}

/** The JSON of a value with one place replaced. */
export function replaced(value: unknown, path: readonly string[], odd: unknown): string {
  const [name, ...rest] = path
  if (name === undefined) return JSON.stringify(odd)
  const parts = Object.entries(value as object).map(([key, part]): [string, string] => [
    key,
    key === name ? replaced(part, rest, odd) : JSON.stringify(part),
  ])
  return Array.isArray(value)
    ? `[${parts.map(([, json]) => json).join()}]`
    : `{${parts.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join()}}`
}
