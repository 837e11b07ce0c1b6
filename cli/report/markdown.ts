import { visible } from '../../bindings/document/hidden.ts'
import type { Reporter } from './report.ts'

/** A table for summaries and comments. */
export const markdownReport: Reporter = (command, { results }, { files, valid, errors, warnings, infos }) => {
  const counts = `${files} ${files === 1 ? 'document' : 'documents'}, ${valid} valid, ${errors} errors, ${warnings} warnings, ${infos} infos`
  const rows = results
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ severity, code, rule, detail, source }) => {
      const where = `${source.file ?? ''}:${source.line}:${source.column}`
      return `| ${severity} | ${code} ${rule} | ${[where, source.pointer, detail].map(codeSpan).join(' | ')} |`
    })
  const table = ['| severity | rule | place | pointer | what |', '|---|---|---|---|---|', ...rows]
  return [`## blazon ${command}`, '', counts, ...(rows.length === 0 ? [] : ['', ...table]), ''].join('\n')
}

/**
 * Text of a stranger as a span of code: nothing in it is Markdown, and where it is shown nobody is called by name and no
 * address becomes a link. Only the bar has to be escaped, for it ends the cell (GFM section 4.10).
 */
function codeSpan(text: string): string {
  if (text === '') return ''
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  // A span that begins or ends with a backtick, or has nothing but spaces, needs spaces of its own.
  const space = /^`|`$|^ *$/.test(text) ? ' ' : ''
  return `${fence}${space}${visible(text).replaceAll('|', '\\|')}${space}${fence}`
}
