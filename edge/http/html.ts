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

/** No script runs, whatever a page holds, and it loads nothing but its style. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The rows of a list of facts, without those that are missing. */
export const factRows = (
  facts: readonly (readonly [label: string, value: string | undefined])[],
  shown = escapeHtml,
): string => facts.map(([label, value]) => (value ? `<dt>${label}</dt><dd>${shown(value)}</dd>` : '')).join('')

/** A table. Its cells are HTML. */
export function htmlTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, texts: readonly string[]) => texts.map((text) => `<${tag}>${text}</${tag}>`).join('')
  const lines = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')
  return `<table><thead><tr>${cells('th', heads)}</tr></thead><tbody>${lines}</tbody></table>`
}

/** A page of the Worker. `head` and `body` are HTML. */
export function htmlPage(
  title: string,
  { head = '', body }: { readonly head?: string; readonly body: string },
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/site.css">
${head}
</head>
<body>
${body}
</body>
</html>
`
}
