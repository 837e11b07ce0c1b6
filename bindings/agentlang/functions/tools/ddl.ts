import { escapeToken, type JsonObject, member, objectOf } from '../../../text/members.ts'
import { quoted, shown } from '../../../text/words.ts'
import type { CallFault } from './contract.ts'

const TYPES = ['integer', 'text', 'real', 'blob']
const MEMBERS = ['type', 'primary_key', 'required']
const MOST_TABLES = 100
/** SQLite's own limit. */
const MOST_COLUMNS = 2_000

/** The SQL that creates the tables of a `sqlite` or `storage` tool; empty when there are faults. */
export function ddl(config: JsonObject): {
  readonly statements: readonly string[]
  readonly faults: readonly CallFault[]
} {
  const faults: CallFault[] = []
  const refuse = (pointer: string, message: string) => void faults.push({ pointer, keyword: 'ddl', message })
  const checkNames = (names: readonly string[], most: number, pointer: string) => {
    if (names.length === 0 || names.length > most) refuse(pointer, `expected 1 to ${most} names`)
    // SQLite compares names without regard to the case of ASCII letters.
    const seen = new Set<string>()
    for (const name of names) {
      const key = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
      if (seen.has(key)) refuse(pointer, `${quoted(name)} is there twice`)
      if (name === '' || name.length > 128 || name.includes('\0') || key.startsWith('sqlite_')) {
        refuse(pointer, `${quoted(name)} cannot be a name`)
      }
      seen.add(key)
    }
  }
  const columnOf = (name: string, column: JsonObject, pointer: string) => {
    const { type, primary_key: isKey, required } = column
    if (!TYPES.includes(type as string)) refuse(pointer, `expected a type: ${TYPES.join(', ')}`)
    for (const flag of [isKey, required])
      if (flag !== undefined && typeof flag !== 'boolean')
        refuse(pointer, `expected true or false, found ${shown(flag)}`)
    for (const other of Object.keys(column)) {
      if (!MEMBERS.includes(other)) refuse(pointer, `unknown member ${quoted(other)}`)
    }
    // SQLite allows NULL in keys that are not integers.
    const isSet = required === true || (isKey === true && type !== 'integer')
    return `${identifier(name)} ${typeof type === 'string' ? type.toUpperCase() : ''}${isSet ? ' NOT NULL' : ''}`
  }
  const isStorage = Object.hasOwn(config, 'schema')
  const tables = objectOf(member(isStorage ? objectOf(config['schema']) : config, 'tables'))
  const at = isStorage ? '/schema/tables' : '/tables'
  const names = Object.keys(tables)
  checkNames(names, MOST_TABLES, at)
  const statements = names.slice(0, MOST_TABLES).map((table) => {
    const columns = objectOf(member(objectOf(tables[table]), 'columns'))
    const pointer = `${at}/${escapeToken(table)}/columns`
    const all = Object.keys(columns)
    checkNames(all, MOST_COLUMNS, pointer)
    const parts = all.map((name) => columnOf(name, objectOf(columns[name]), `${pointer}/${escapeToken(name)}`))
    const keys = all.filter((name) => member(objectOf(columns[name]), 'primary_key') === true).map(identifier)
    if (keys.length > 0) parts.push(`PRIMARY KEY (${keys.join(', ')})`)
    return `CREATE TABLE IF NOT EXISTS ${identifier(table)} (${parts.join(', ')})`
  })
  return { statements: faults.length === 0 ? statements : [], faults }
}

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
