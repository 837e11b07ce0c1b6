import { visible } from '../../bindings/text/hidden.ts'
import { failureOf, type Reporter } from './report.ts'

/** A table for summaries and comments. */
export const markdownReport: Reporter = (command, { results }, judgement) => {
  const { files, valid, errors, warnings, infos } = judgement
  const counts = `${files} ${files === 1 ? 'document' : 'documents'}, ${valid} valid, ${errors} errors, ${warnings} warnings, ${infos} infos`
  const rows = results
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ severity, code, rule, detail, source }) => {
      const where = `${source.file ?? ''}:${source.line}:${source.column}`
      return `| ${severity} | ${code} ${rule} | ${[where, source.pointer, detail].map(codeSpan).join(' | ')} |`
    })
  const table = ['| severity | rule | place | pointer | what |', '|---|---|---|---|---|', ...rows]
  const failures = failureOf(command, judgement).flatMap((failure) => ['', `**Failed**: ${codeSpan(failure)}`])
  return [`## blazon ${command}`, '', counts, ...failures, ...(rows.length === 0 ? [] : ['', ...table]), ''].join('\n')
}

/**
 * Foreign text as a code span: nothing in it acts as Markdown, as a mention or as a link. Only the bar has to be
 * escaped, because it ends the cell (GFM section 4.10).
 */
function codeSpan(text: string): string {
  if (text === '') return ''
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  // A span that begins or ends with a backtick, or is only spaces, needs padding.
  const space = /^`|`$|^ *$/.test(text) ? ' ' : ''
  return `${fence}${space}${visible(text).replaceAll('|', '\\|')}${space}${fence}`
}
