import { escapeHidden, escapeUnits, visibleText } from '../../bindings/text/hidden.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for a page, and makes its hidden characters visible; it is also safe between quotes. */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}

/**
 * Escapes JSON for a script element: nothing in it can end the element (HTML section 4.12.1.3), and it stays the same
 * JSON.
 */
export function escapeJson(json: string): string {
  return escapeHidden(json).replace(/[<>&]|\p{Noncharacter_Code_Point}/gu, escapeUnits)
}
