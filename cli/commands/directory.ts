import { suggest } from '../../bindings/document/suggest.ts'
import type { Context, Outcome } from '../context.ts'
import { exportDirectory } from '../directory/export.ts'
import { importDirectory } from '../directory/import.ts'
import { missingToken } from '../publish/target.ts'
import { UsageError } from '../usage.ts'

type Verb = (context: Context, operands: readonly string[], token: string) => Promise<Outcome>

const VERBS: Readonly<Record<string, Verb>> = { export: exportDirectory, import: importDirectory }

/** `blazon directory`: backups of a directory, which its operator makes. */
export async function run(context: Context): Promise<Outcome> {
  const [verb, ...operands] = context.positionals
  const names = Object.keys(VERBS)
  if (verb === undefined || !Object.hasOwn(VERBS, verb)) {
    const nearest = verb === undefined ? undefined : suggest(verb, names)
    const hint = nearest === undefined ? 'as in blazon directory export --from URL' : `did you mean ${nearest}?`
    throw new UsageError('unknown-verb', `directory: expected ${names.join(', ')}, got ${verb ?? 'nothing'}`, hint)
  }
  const token = context.host.env['BLAZON_TOKEN']
  if (!token) throw missingToken(`directory ${verb}`)
  return VERBS[verb]!(context, operands, token)
}
