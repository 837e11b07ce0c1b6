import type { Diagnostic } from '../../bindings/document/types.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Result } from '../command.ts'
import { counted, failureOf, markup, printedLines, type Reporter, shorten } from './report.ts'

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 70rem; padding: 1rem }
h2 { overflow-wrap: anywhere; font-size: 1.1rem; margin: 2rem 0 .5rem }
li { border-top: 1px solid #8888; list-style: none; padding: .6rem 0; overflow-wrap: anywhere }
ul { margin: 0; padding: 0 }
p { margin: .2rem 0 }
b { border: 1px solid; border-radius: .3rem; font-size: .85rem; padding: 0 .35rem }
.error b { color: light-dark(#a40010, #ff9c9c) }
.warning b { color: light-dark(#7a4b00, #f2c063) }
.info b { color: light-dark(#0b4f9c, #8ec5ff) }
code, pre { font: .875rem/1.4 ui-monospace, monospace }
pre { overflow-x: auto }`

/** One page that loads nothing and runs no script, whatever the documents contain. */
export const htmlReport: Reporter = (command, outcome, judgement, version) => {
  const { files, valid, errors, warnings, infos } = judgement
  const documents = files === 0 ? [] : [counted(files, 'document'), `${valid} valid`]
  const counts = [...documents, counted(errors, 'error'), counted(warnings, 'warning')]
  const lines = printedLines(outcome, markup)
  const data = lines.length === 0 ? '' : `<pre>${lines.join('\n')}</pre>\n`
  const sections = outcome.results
    .filter(({ file, diagnostics }) => diagnostics.length > 0 || (file !== null && data === ''))
    .map((result) => section(result, command))
  const failures = failureOf(command, judgement).map((text) => `<p class="error"><b>error</b> ${markup(text)}</p>\n`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>blazon ${command}</title>
<style>
${STYLE}
</style>
</head>
<body>
<main>
<h1>blazon ${command}</h1>
<p>${[...counts, counted(infos, 'info')].join(', ')}</p>
${failures.join('')}${data}${sections.join('')}<p>blazon ${markup(version)}</p>
</main>
</body>
</html>
`
}

function section({ file, kind, diagnostics }: Result, command: string): string {
  const head = `<h2>${markup(shorten(file ?? command))}${kind === null ? '' : ` (${markup(kind)})`}</h2>`
  if (diagnostics.length === 0) return `<section>\n${head}\n<p>Nothing found.</p>\n</section>\n`
  return `<section>\n${head}\n<ul>\n${diagnostics.map(item).join('')}</ul>\n</section>\n`
}

function item({ severity, code, rule, spec, title, detail, source, fix }: Diagnostic): string {
  const { line, column, pointer } = source
  const hint = fix === undefined ? '' : `<p>Hint: ${markup(fix.hint)}</p>\n`
  return `<li class="${severity}">
<p><b>${severity}</b> <code>${line}:${column}</code> ${markup(title)}</p>
<p>${markup(detail)}</p>
${hint}<p><code>${markup([code, rule, spec, shorten(pointer)].filter((part) => part !== '').join(', '))}</code></p>
</li>
`
}

/** GitHub refuses a summary of more than 1 MiB. */
const MOST_ROWS = 1000

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
  const shown = rows.slice(0, MOST_ROWS)
  const table = ['| severity | rule | place | pointer | what |', '|---|---|---|---|---|', ...shown]
  if (shown.length < rows.length) table.push('', `${rows.length - shown.length} more findings are not listed.`)
  const failures = failureOf(command, judgement).flatMap((failure) => ['', `**Failed**: ${codeSpan(failure)}`])
  return [
    `## blazon ${command}`,
    '',
    counts,
    ...failures,
    ...fenced(printedLines(outcome)),
    ...(rows.length === 0 ? [] : ['', ...table]),
    ...(outcome.notes ?? []).flatMap((note) => ['', codeSpan(note)]),
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
