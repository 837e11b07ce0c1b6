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
