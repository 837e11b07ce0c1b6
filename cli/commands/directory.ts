import type { Context, Outcome } from '../context.ts'
import { exportDirectory } from '../directory/export.ts'
import { importDirectory } from '../directory/import.ts'
import { missingToken } from '../publish/target.ts'
import { chooseVerb } from '../verbs.ts'

type Verb = (context: Context, operands: readonly string[], token: string) => Promise<Outcome>

const VERBS: Readonly<Record<string, Verb>> = { export: exportDirectory, import: importDirectory }

/** `blazon directory`: backups of a directory, which its operator makes. */
export async function run(context: Context): Promise<Outcome> {
  const { name, verb, operands } = chooseVerb(context, VERBS, 'blazon directory export --from URL')
  const token = context.host.env['BLAZON_TOKEN']
  if (!token) throw missingToken(`directory ${name}`)
  return verb(context, operands, token)
}
