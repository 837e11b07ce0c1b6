// Carries out `--fix` and `--fix-dry-run` for a document and the other files of its folder.
import { posix } from 'node:path'
import { load } from '../../bindings/agentlang/verbs.ts'
import type { Kind } from '../../bindings/kinds.ts'
import type { CheckResult, Place } from './checker.ts'
import { type Mending, type MendResult, mend } from './mend.ts'

/** Fixes the other files of an agent's folder, each by its own findings, and then the document. */
export async function mendAll(bytes: Uint8Array, place: Place, mending: Mending): Promise<MendResult> {
  if (place.around === undefined) return mend(bytes, place, mending)
  const files = new Map(await place.around())
  const parts: MendResult[] = []
  for (const [path, as] of partsOf(files)) {
    const file = posix.join(posix.dirname(place.file), path)
    const part = await mend(files.get(path)!, { file, as }, mending)
    files.set(path, part.bytes)
    if (part.unwritable || fixesOf(part) > 0) parts.push(part)
  }
  const own = await mend(bytes, { ...place, around: async () => files }, mending)
  return parts.length === 0 ? own : joined(own, parts)
}

/** The files of an agent that are documents, except agent.yaml and agent.lock. */
function partsOf(files: ReadonlyMap<string, Uint8Array>): readonly (readonly [path: string, as: Kind])[] {
  const { folder } = load(files)
  if (folder === undefined) return []
  const { prompts, subAgents, skills, ux } = folder
  const all = { prompt: prompts, agentlang: subAgents, skill: skills, ux: ux === undefined ? [] : [ux] }
  return Object.entries(all).flatMap(([as, parts]) => parts.map(({ path }) => [path, as as Kind] as const))
}

const fixesOf = ({ checked }: MendResult) => Number(checked.result['fixes'] ?? 0)

/** One result for the document and its parts. */
function joined(own: MendResult, parts: readonly MendResult[]): MendResult {
  const all = [...parts, ...(fixesOf(own) > 0 || own.unwritable ? [own] : [])]
  const failures = parts.flatMap(({ unwritable, checked }) => (unwritable ? checked.result.diagnostics.slice(-1) : []))
  const { withoutFixes: _, ...result } = own.checked.result
  const checked: CheckResult = {
    ...own.checked,
    result: {
      ...result,
      valid: result.valid && failures.length === 0,
      diagnostics: [...result.diagnostics, ...failures],
      fixes: all.reduce((sum, part) => sum + fixesOf(part), 0),
    },
  }
  return {
    bytes: own.bytes,
    checked,
    notes: all.flatMap(({ notes }) => notes),
    diff: all.map(({ diff }) => diff).join(''),
    unwritable: all.some(({ unwritable }) => unwritable),
  }
}
