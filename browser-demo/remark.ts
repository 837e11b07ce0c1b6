import type { Diagnostic } from '../bindings/document/types.ts'
import { paragraph } from './dom.ts'

/** A finding in one line, for the result of an action. */
export function remark({ severity, detail, code }: Diagnostic, words = detail): HTMLParagraphElement {
  const [tone, sign] = severity === 'error' ? ['bad', '✕'] : ['care', '!']
  return paragraph(tone, `${sign} ${words} (${code})`)
}
