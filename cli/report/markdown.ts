import { visible } from '../../bindings/document/wording.ts'
import type { Reporter } from './report.ts'

/** A table for summaries and comments. */
export const markdownReport: Reporter = (command, { results }, { files, valid, errors, warnings, infos }) => {
  const counts = `${files} ${files === 1 ? 'document' : 'documents'}, ${valid} valid, ${errors} errors, ${warnings} warnings, ${infos} infos`
  const rows = results
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ severity, code, rule, detail, source }) => {
      const where = `${source.file ?? ''}:${source.line}:${source.column}`
      return `| ${[severity, `${code} ${rule}`, where, source.pointer, detail].map(cell).join(' | ')} |`
    })
  const table = ['| severity | rule | place | pointer | what |', '|---|---|---|---|---|', ...rows]
  return [`## blazon ${command}`, '', counts, ...(rows.length === 0 ? [] : ['', ...table]), ''].join('\n')
}

/** Text that Markdown shows as it is. */
function cell(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]<>|#&~]/g, (character) => `\\${character}`)
}
