/** With these behind it, `<` begins a tag, a comment or what a browser takes for one (HTML 13.2.5.6). */
const OPENS = /[A-Za-z/!?]/

/**
 * A text without its HTML tags, comments and declarations; the text between them stays, and a `<` that opens nothing. The
 * text that is left never joins to a tag, not even with text that is put behind it.
 *
 * @example
 * stripHtml('a <b>bold</b> claim: 1 < 2') // 'a bold claim: 1 < 2'
 * stripHtml('<scr<b>ipt>alert(1)') // 'ipt>alert(1)'
 */
export function stripHtml(text: string): string {
  let kept = ''
  // Each `<` waits for the character that comes to stand behind it.
  let waiting = 0
  for (let at = 0; at < text.length; ) {
    if (text[at] === '<') {
      const opens = at + 1 < text.length && OPENS.test(text[at + 1]!)
      if (!opens) waiting++
      at = opens ? endOfTag(text, at) : at + 1
      continue
    }
    const next = text.indexOf('<', at)
    const end = next < 0 ? text.length : next
    if (!OPENS.test(text[at]!)) kept += '<'.repeat(waiting)
    kept += text.slice(at, end)
    waiting = 0
    at = end
  }
  return kept
}

/** Behind the tag that begins at `at`; the end of the text when it is not closed, as in a browser. */
function endOfTag(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return behind(text, '-->', at + 2)
  if (text[at + 1] === '!' || text[at + 1] === '?') return behind(text, '>', at)
  for (let i = at + 1; i < text.length; ) {
    const character = text[i++]
    if (character === '>') return i
    if (character !== '=') continue
    while (i < text.length && /\s/.test(text[i]!)) i++
    // Only the value of an attribute is quoted.
    if (text[i] === '"' || text[i] === "'") i = behind(text, text[i]!, i + 1)
  }
  return text.length
}

function behind(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at < 0 ? text.length : at + what.length
}
