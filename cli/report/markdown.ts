import { visible } from '../../bindings/text/hidden.ts'
import { failureOf, printedLines, type Reporter } from './report.ts'

/** A table, for summaries and comments. */
export const markdownReport: Reporter = (command, outcome, judgement) => {
  const { files, valid, errors, warnings, infos } = judgement
  const documents = files === 0 ? '' : `${files} ${files === 1 ? 'document' : 'documents'}, ${valid} valid, `
  const counts = `${documents}${errors} errors, ${warnings} warnings, ${infos} infos`
  const rows = outcome.results
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ severity, code, rule, detail, source }) => {
      const where = `${source.file ?? ''}:${source.line}:${source.column}`
      return `| ${severity} | ${code} ${rule} | ${[where, source.pointer, detail].map(codeSpan).join(' | ')} |`
    })
  const table = ['| severity | rule | place | pointer | what |', '|---|---|---|---|---|', ...rows]
  const failures = failureOf(command, judgement).flatMap((failure) => ['', `**Failed**: ${codeSpan(failure)}`])
  return [
    `## blazon ${command}`,
    '',
    counts,
    ...failures,
    ...fenced(printedLines(outcome)),
    ...(rows.length === 0 ? [] : ['', ...table]),
    '',
  ].join('\n')
}

/**
 * Writes foreign text as a code span, so that Markdown finds no markup, mention or link in it. Only the bar has to be
 * escaped, because it ends the cell (GFM section 4.10).
 */
function codeSpan(text: string): string {
  if (text === '') return ''
  const fence = '`'.repeat(longestRun(text) + 1)
  // Padding keeps a span intact that begins or ends with a backtick, or is only spaces.
  const space = /^`|`$|^ *$/.test(text) ? ' ' : ''
  return `${fence}${space}${visible(text).replaceAll('|', '\\|')}${space}${fence}`
}

/** A code block with a fence longer than any in its lines (GFM section 4.5). */
function fenced(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return []
  const fence = '`'.repeat(lines.reduce((most, line) => Math.max(most, longestRun(line) + 1), 3))
  return ['', fence, ...lines, fence]
}

const longestRun = (text: string) => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
