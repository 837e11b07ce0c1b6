// Markdown -> HTML, for what the pages of docs/ use: headings, paragraphs, lists, tables, quotes, code, links, images.
// All text is escaped, and no HTML passes through.

const SPECIAL = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SPECIAL[sign])

/** The text of HTML that this module wrote. */
export function textOf(html) {
  const names = Object.fromEntries(Object.entries(SPECIAL).map(([sign, name]) => [name, sign]))
  return html.replace(/<[^>]*>/g, '').replace(/&\w+;/g, (name) => names[name])
}

/** The anchor of a heading: TableOfContentsFilter of github.com/gjtorikian/html-pipeline. */
export const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const FENCE = /^(`{3,}|~{3,})\s*(\w*)/
const HEADING = /^(#{1,6}) +(.*?)(?: +#+)?$/
const ITEM = /^( {0,3})([-*+]|\d{1,9}\.)( +)(?=\S)/
const RULE = /^(?:-{3,}|\*{3,})$/
const TABLE = /^\|/
const QUOTE = /^> ?/
/** Lists and quotes inside each other; anything deeper is text. */
const MOST_DEEP = 16
const begins = (line) => [FENCE, HEADING, ITEM, RULE, TABLE, QUOTE].some((sign) => sign.test(line))

/**
 * The HTML of a page, and its headings as `{ level, id, html }`. `linked` gets each address and returns the one to write;
 * undefined leaves the label alone.
 */
export function rendered(markdown, linked = (address) => address) {
  const page = { headings: [], ids: new Map(), linked, depth: 0 }
  const lines = markdown
    .replace(/\r\n?/g, '\n')
    .replace(/^<!--[\s\S]*?-->$/gm, '')
    .split('\n')
  return { html: blocks(lines, page).join('\n'), headings: page.headings }
}

function blocks(lines, outer) {
  const page = { ...outer, depth: outer.depth + 1 }
  const out = []
  for (let at = 0; at < lines.length; ) {
    if (lines[at].trim() === '') at++
    else {
      const read = READERS.find(([sign]) => sign.test(lines[at]))?.[1] ?? paragraph
      const { html, end } = (page.depth > MOST_DEEP ? paragraph : read)(lines, at, page)
      out.push(html)
      at = end
    }
  }
  return out
}

/** The index of the first line from `at` on that does not belong to the block. */
function endOf(lines, at, belongs) {
  let end = at
  while (end < lines.length && belongs(lines[end])) end++
  return end
}

function fence(lines, at) {
  const [, mark, language] = FENCE.exec(lines[at])
  const end = endOf(lines, at + 1, (line) => line.trim() !== mark)
  return { html: codeBlock(lines.slice(at + 1, end).join('\n'), language), end: end + 1 }
}

/** A block of code; of a terminal, what a person types is marked. */
export function codeBlock(text, language = '') {
  const typed = (line) => (line.startsWith('$ ') ? `<b>${escaped(line)}</b>` : escaped(line))
  const code = language === 'console' ? text.split('\n').map(typed).join('\n') : escaped(text)
  return `<pre tabindex="0"><code>${code}</code></pre>`
}

function indented(lines, at) {
  const end = endOf(lines, at, (line) => line.startsWith('    ') || line.trim() === '')
  const text = lines.slice(at, end).map((line) => line.slice(4))
  return { html: codeBlock(text.join('\n').trimEnd()), end }
}

function heading(lines, at, page) {
  const [, signs, text] = HEADING.exec(lines[at])
  const html = inline(text, page)
  const anchor = anchorOf(textOf(html))
  const count = page.ids.get(anchor) ?? 0
  page.ids.set(anchor, count + 1)
  const [id, level] = [count === 0 ? anchor : `${anchor}-${count}`, signs.length]
  page.headings.push({ level, id, html })
  const link = level === 1 ? '' : ` <a class="here" href="#${id}" aria-label="Link to this section">#</a>`
  return { html: `<h${level} id="${id}">${html}${link}</h${level}>`, end: at + 1 }
}

function table(lines, at, page) {
  const end = endOf(lines, at, (line) => TABLE.test(line))
  const rows = lines.slice(at, end).map(cellsOf)
  const ends = rows[1]?.map((cell) => (/^-+:$/.test(cell) ? ' class="end"' : '')) ?? []
  const row = (cells, name) =>
    `<tr>${cells.map((cell, i) => `<${name}${ends[i] ?? ''}>${inline(cell, page)}</${name}>`).join('')}</tr>`
  const body = rows.slice(2).map((cells) => row(cells, 'td'))
  const html = `<div class="wide" tabindex="0"><table>\n<thead>${row(rows[0], 'th')}</thead>\n<tbody>\n${body.join('\n')}\n</tbody></table></div>`
  return { html, end }
}

const cellsOf = (line) =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

function list(lines, at, page) {
  const isOrdered = /\d/.test(ITEM.exec(lines[at])[2])
  const items = []
  let end = at
  for (
    let sign = ITEM.exec(lines[end] ?? '');
    sign !== null && /\d/.test(sign[2]) === isOrdered;
    sign = ITEM.exec(lines[end] ?? '')
  ) {
    const width = sign[0].length
    const isInside = (line) => line.startsWith(' '.repeat(width))
    const first = end
    end = endOf(lines, first + 1, (line) => isInside(line) || (line.trim() !== '' && !begins(line)))
    // A blank line ends the item, unless more of it follows.
    while (lines[end]?.trim() === '' && isInside(lines[end + 1] ?? '')) end = endOf(lines, end + 1, isInside)
    const own = lines.slice(first, end).map((line, i) => (i === 0 || isInside(line) ? line.slice(width) : line.trim()))
    const parts = blocks(own, page)
    items.push(
      `<li>${parts.length === 1 || begins(own[1] ?? '') ? parts.join('\n').replace(/^<p>([\s\S]*?)<\/p>/, '$1') : parts.join('\n')}</li>`,
    )
    if (lines[end]?.trim() === '' && ITEM.test(lines[end + 1] ?? '')) end++
  }
  const name = isOrdered ? 'ol' : 'ul'
  return { html: `<${name}>\n${items.join('\n')}\n</${name}>`, end }
}

function quote(lines, at, page) {
  const end = endOf(lines, at, (line) => QUOTE.test(line))
  const inside = lines.slice(at, end).map((line) => line.replace(QUOTE, ''))
  return { html: `<blockquote>${blocks(inside, page).join('\n')}</blockquote>`, end }
}

function paragraph(lines, at, page) {
  const end = endOf(lines, at + 1, (line) => line.trim() !== '' && !begins(line))
  const text = lines.slice(at, end).map((line) => line.trim())
  return { html: `<p>${inline(text.join('\n'), page)}</p>`, end }
}

const READERS = [
  [FENCE, fence],
  [HEADING, heading],
  [RULE, (_, at) => ({ html: '<hr>', end: at + 1 })],
  [TABLE, table],
  [ITEM, list],
  [QUOTE, quote],
  [/^ {4}/, indented],
]

/** Code, images, links, strong and stressed words, bare addresses, and signs after a backslash. */
const INLINE =
  /(`+)(.+?)(?<!`)\1(?!`)|!\[([^\]]*)\]\(([^()\s]+)\)|<img src="([^"]*)" alt="([^"]*)"[^>]*>|\[((?:[^[\]`]|`[^`]*`)+)\]\(([^()\s]+)\)|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|<(https?:[^<>\s]+)>|\\([!-/:-@[-`{-~])/gs

function inline(text, page) {
  let [html, last] = ['', 0]
  for (const match of text.matchAll(INLINE)) {
    html += escaped(text.slice(last, match.index)) + spanOf(match, page)
    last = match.index + match[0].length
  }
  return html + escaped(text.slice(last))
}

function spanOf([, , code, alt, image, source, about, label, address, strong, stress, bare, sign], page) {
  if (code !== undefined) return `<code>${escaped(code.replace(/^ (.*) $/s, '$1'))}</code>`
  if (image ?? source)
    return `<img src="${escaped(addressOf(image ?? source, page) ?? '')}" alt="${escaped(alt ?? about)}">`
  if (label !== undefined) return anchored(addressOf(address, page), inline(label, page))
  if (strong !== undefined) return `<strong>${inline(strong, page)}</strong>`
  if (stress !== undefined) return `<em>${inline(stress, page)}</em>`
  if (bare !== undefined) return anchored(bare, escaped(bare))
  return escaped(sign)
}

const anchored = (address, html) => (address === undefined ? html : `<a href="${escaped(address)}">${html}</a>`)

/** Schemes other than these could run a script. */
function addressOf(address, { linked }) {
  if (/^[\w+.-]+:/.test(address)) return /^(?:https?|mailto):/i.test(address) ? address : undefined
  return linked(address)
}
