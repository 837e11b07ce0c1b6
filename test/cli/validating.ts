// An agent definition, and a helper for blazon validate.
import { blazon, type Setting } from './terminal.ts'

export const AGENT = {
  $schema: 'https://adl-spec.org/0.1/schema.json',
  adl_spec: '0.1.0',
  name: 'Scout',
  description: 'Looks for things in a test, and finds some of them.',
  version: '1.0.0',
  data_classification: { sensitivity: 'internal' },
}
export const agent = (more: object = {}) => `${JSON.stringify({ ...AGENT, ...more }, null, 2)}\n`
export const WILD = { permissions: { network: { allowed_hosts: ['*'] } } }

export const validate = (argv: readonly string[], files: Setting['files'], setting: Setting = {}) =>
  blazon(['validate', ...argv], { files: files!, ...setting })

export async function findings(argv: readonly string[], files: Setting['files']) {
  const { stdout } = await validate([...argv, '--format', 'json'], files)
  const { results } = JSON.parse(stdout) as {
    results: { diagnostics: { rule: string; severity: string; source: { line: number } }[] }[]
  }
  return results.flatMap(({ diagnostics }) => diagnostics.map(({ rule, severity }) => `${severity} ${rule}`))
}
