import { visible } from '../../bindings/text/hidden.ts'
import { digestOf, fingerprintsOf } from '../fingerprint.ts'
import { jsonText, type Reporter } from './report.ts'

const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const

/** GitLab's Code Quality report. A fingerprint stays when lines move, so that a merge request shows new findings only. */
export const gitlabReport: Reporter = (command, { results }) =>
  jsonText(
    results.flatMap((result) => {
      const fingerprints = fingerprintsOf(result)
      return result.diagnostics.map(({ code, rule, severity, title, detail, source }, i) => {
        const path = pathOf(source.file ?? command)
        return {
          description: visible(`${title}: ${detail}`),
          check_name: `${code}/${rule}`,
          fingerprint: digestOf([path, fingerprints[i]!]),
          severity: SEVERITIES[severity],
          location: { path, lines: { begin: source.line } },
        }
      })
    }),
  )

/** Paths begin at the root of the repository, without `./`. */
function pathOf(file: string): string {
  return visible(file.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, ''))
}
