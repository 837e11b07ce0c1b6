/** If one of these follows, `<` begins a tag, a comment, or something that a browser treats as one (HTML 13.2.5.6). */
const OPENS = /[A-Za-z/!?]/

/**
 * A text without its HTML tags, comments and declarations. The text between them stays, and so does a `<` that opens
 * nothing. The remaining text can never form a tag, not even with text that is appended to it.
 *
 * @example
 * stripHtml('a <b>bold</b> claim: 1 < 2') // 'a bold claim: 1 < 2'
 * stripHtml('<scr<b>ipt>alert(1)') // 'ipt>alert(1)'
 */
export function stripHtml(text: string): string {
  let kept = ''
  // Each pending `<` needs the character that will follow it in the result.
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

/** The position after the tag that begins at `at`; the end of the text if the tag is not closed, as in a browser. */
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
