import type { Document } from '../bindings/document/parse.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import { refusalsBy } from '../bindings/frame/subject.ts'
import type { Kind } from '../bindings/kinds.ts'
import { specificationOf } from '../bindings/specifications.ts'
import { isObject } from '../bindings/text/members.ts'

/** Warns about template texts of `blazon init` that are still in a document. */
export async function placeholdersIn(document: Document, kind: Kind | undefined): Promise<readonly Diagnostic[]> {
  const specification = await specificationOf(kind ?? 'adl')?.load.check?.()
  const rule = specification?.rules.find(({ id }) => id === 'placeholder')
  if (rule === undefined || !isObject(document.value)) return []
  return refusalsBy(rule, specification!.subject(document) as { readonly document: Document }).map((finding) => ({
    ...finding,
    severity: 'warning',
  }))
}
