import { isObject, type JsonObject } from '../../text/members.ts'

const BARE = /^[\w-]+$/

/** Writes a table as TOML. Its values are texts, numbers, booleans, lists of these, and tables. */
export function writeToml(table: JsonObject): string {
  return `${linesOf(table, '').join('\n')}\n`
}

function linesOf(table: JsonObject, path: string): string[] {
  const members = Object.entries(table).map(([name, value]) => [BARE.test(name) ? name : textOf(name), value] as const)
  const own = members.filter(([, value]) => !isObject(value)).map(([name, value]) => `${name} = ${textOf(value)}`)
  const inner = members.flatMap(([name, value]) => (isObject(value) ? linesOf(value, `${path}${name}.`) : []))
  // A table that only has tables needs no header.
  const header = path === '' || (own.length === 0 && inner.length > 0) ? [] : ['', `[${path.slice(0, -1)}]`]
  return [...header, ...own, ...inner]
}

/** TOML escapes as JSON does, and in addition the one control character that JSON leaves as it is. */
const textOf = (value: unknown) => JSON.stringify(value).replaceAll('\x7f', '\\u007f')
