import type { Examination } from '../examine.ts'

/** What a tab shows of a document; undefined when there is none. */
export interface View {
  show(examination: Examination | undefined): void
}

/** Brings the value that a pointer names into view in the editor. */
export type GoTo = (pointer: string) => void

/** Why there is nothing to look at; undefined when there is. */
export function notRead(examination: Examination | undefined): string | undefined {
  if (examination === undefined) return 'Nothing to read yet.'
  return examination.document === undefined ? 'The document cannot be read: Findings says why.' : undefined
}

/** Why a view about agent definitions has nothing to show; undefined when it has. */
export function notAnAgent(examination: Examination | undefined): string | undefined {
  const reason = notRead(examination)
  if (reason !== undefined) return reason
  if (examination!.kind !== 'adl') return 'This is about agent definitions: documents with the member adl_spec.'
  return undefined
}
