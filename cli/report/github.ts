import { visible } from '../../bindings/text/hidden.ts'
import { failureOf, type Reporter } from './report.ts'

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const

/** Workflow commands of GitHub, which become annotations on the changed lines. */
export const githubReport: Reporter = (command, { results }, judgement) => {
  const lines = results
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ severity, code, title, detail, source }) => {
      const properties = {
        ...(source.file !== undefined && { file: source.file }),
        line: String(source.line),
        col: String(source.column),
        // A finding that spans lines is shown at the first: an annotation of all of them would hide others.
        ...(source.endLine === source.line && { endLine: String(source.line), endColumn: String(source.endColumn) }),
        title: `${code} ${title}`,
      }
      const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
      return `::${COMMANDS[severity]} ${list.join(',')}::${data(detail)}\n`
    })
  return [...lines, ...failureOf(command, judgement).map((failure) => `::error::${data(failure)}\n`)].join('')
}

function data(text: string): string {
  // Line ends were made visible, so only the percent sign has to be escaped.
  return visible(text).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
