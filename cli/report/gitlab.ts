import { visible } from '../../bindings/text/hidden.ts'
import { digestOf, fingerprintsOf } from '../fingerprint.ts'
import { failureOf, jsonText, type Reporter } from './report.ts'

const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const

/** GitLab's Code Quality report. Fingerprints survive moved lines, so that a merge request shows only new findings. */
export const gitlabReport: Reporter = (command, { results }, judgement) => {
  const issues = results.flatMap((result) => {
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
  })
  const failures = failureOf(command, judgement).map((description) => ({
    description,
    check_name: `blazon ${command}`,
    fingerprint: digestOf([command, description]),
    severity: SEVERITIES.error,
    location: { path: pathOf(results[0]?.file ?? command), lines: { begin: 1 } },
  }))
  return jsonText([...issues, ...failures])
}

/** A path from the root of the repository, without `./`. */
function pathOf(file: string): string {
  return visible(file.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, ''))
}
