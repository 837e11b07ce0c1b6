// The published JSON Schemas: blazon/schemas/NAME in the package, /schema/NAME at the Worker.
import { copyFile, mkdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { ROWS } from './specifications.mjs'

const ofKinds = ROWS.flatMap(({ kind, schemas = [] }) =>
  schemas.map((path) => [basename(path).replace('schema', kind), `bindings/${path}`]),
)

/** @type {Readonly<Record<string, string>>} name -> source; package.json's `exports` names each. */
export const SCHEMAS = {
  ...Object.fromEntries(ofKinds),
  'config.json': 'docs/schema/config.schema.json',
  'baseline.json': 'docs/schema/baseline.schema.json',
  'cli-output.json': 'docs/schema/cli-output.schema.json',
}

/** Copies them for the package and for the Worker. */
export async function copySchemas(to) {
  for (const folder of [`${to}/schemas`, `${to}/site/schema`]) {
    await mkdir(folder, { recursive: true })
    for (const [name, source] of Object.entries(SCHEMAS)) await copyFile(source, `${folder}/${name}`)
  }
}
