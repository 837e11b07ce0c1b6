import type { Diagnostic } from '../bindings/document/types.ts'
import { paragraph } from './dom.ts'

/** What was found, in a line beside what was made. */
export function remark({ severity, detail, code }: Diagnostic, words = detail): HTMLParagraphElement {
  const [tone, sign] = severity === 'error' ? ['bad', '✕'] : ['care', '!']
  return paragraph(tone, `${sign} ${words} (${code})`)
}
