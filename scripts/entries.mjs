// What programs can import from the package. package.json's `exports` mirrors both tables (npm run check compares).
import { basename } from 'node:path'
import { ROWS } from './specifications.mjs'

/** Output name -> source. */
export const ENTRIES = {
  index: 'bindings/index.ts',
  core: 'bindings/core/index.ts',
  document: 'bindings/document/index.ts',
  keys: 'bindings/keys/index.ts',
  adl: 'bindings/adl/index.ts',
  card: 'bindings/card/index.ts',
  a2a: 'bindings/a2a/index.ts',
  wellknown: 'bindings/wellknown/index.ts',
  invite: 'bindings/wellknown/invite/index.ts',
  schema: 'bindings/schema/index.ts',
  convert: 'bindings/convert/index.ts',
  runs: 'bindings/runs/index.ts',
  agentlang: 'bindings/agentlang/index.ts',
  discover: 'bindings/discover/index.ts',
  directory: 'bindings/directory/index.ts',
  agp: 'bindings/agp/index.ts',
  node: 'bindings/node/index.ts',
}

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
