// The published JSON Schemas: blazon/schemas/NAME in the package, /schema/NAME at the Worker.
import { copyFile, mkdir } from 'node:fs/promises'

/** Name -> source. package.json's `exports` names each. */
export const SCHEMAS = {
  'adl.json': 'bindings/adl/schema.json',
  'adl-discovery.json': 'docs/schema/adl-discovery.schema.json',
  'card.json': 'bindings/card/schema.json',
  'a2a-1.0.json': 'bindings/a2a/schema-1.0.json',
  'a2a-0.3.json': 'bindings/a2a/schema-0.3.json',
  'wellknown.json': 'bindings/wellknown/schema.json',
  'invite.json': 'bindings/wellknown/invite/schema.json',
  'trace.json': 'bindings/discover/trace/schema.json',
  'mcp-server.json': 'bindings/mcp-server/schema.json',
  'ai-catalog.json': 'bindings/ai-catalog/schema.json',
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
