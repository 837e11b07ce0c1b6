// Compares containers with the folders that they should come from.
import { compareWithSource, isEncrypted } from '../../bindings/agentlang/build.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { Tools } from '../command.ts'
import { given } from '../usage.ts'
import { loadAgent, readIndex } from './folder.ts'
import { missingSecret } from './options.ts'

interface SourceOptions {
  readonly source: string
  readonly index: string | undefined
  readonly secret: { readonly secret?: string }
}

/** The entries in which a container differs from a build of its source. */
export async function compareSource(
  container: Document,
  { source, index, secret }: SourceOptions,
  tools: Tools,
): Promise<readonly Diagnostic[]> {
  const { loaded } = await loadAgent([source], tools)
  const asked = { ...secret, ...given({ index: await readIndex({ index, folder: source }, tools) }) }
  const prompt = loaded.folder?.paths.find(isEncrypted)
  if (asked.secret === undefined && prompt !== undefined)
    throw missingSecret('verify --source', `${prompt} is encrypted in a container`)
  const found = await compareWithSource(container, loaded, asked)
  return found.filter(({ severity }) => severity === 'error')
}
