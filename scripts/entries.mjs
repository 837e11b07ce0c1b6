// The exports of the package: output name -> source. package.json's `exports` mirrors this table (npm run check
// compares).
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
