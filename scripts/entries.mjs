// What programs can import from the package: its `exports` in package.json.
import { basename } from 'node:path'
import { readJson } from './files.mjs'
import { ROWS } from './specifications.mjs'

const { exports } = readJson(new URL('../package.json', import.meta.url))
const modules = Object.entries(exports).filter(([, { types }]) => types !== undefined)

/** @type {Readonly<Record<string, string>>} Output name -> source. */
export const ENTRIES = Object.fromEntries(
  modules.map(([name, { types }]) => [
    name === '.' ? 'index' : name.slice(2),
    types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, 'bindings/$1.ts'),
  ]),
)

const ofKinds = ROWS.flatMap(({ kind, schemas = [] }) =>
  schemas.map((path) => [basename(path).replace('schema', kind), `bindings/${path}`]),
)

/**
 * Name -> source of the published JSON Schemas: blazon/schemas/NAME in the package, /schema/NAME at the Worker.
 * @type {Readonly<Record<string, string>>}
 */
export const SCHEMAS = {
  ...Object.fromEntries(ofKinds),
  'config.json': 'docs/schema/config.schema.json',
  'baseline.json': 'docs/schema/baseline.schema.json',
  'cli-output.json': 'docs/schema/cli-output.schema.json',
}
