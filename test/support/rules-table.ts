import type { FindingKind } from '../../bindings/document/finding.ts'
import { RULESETS, severityOf } from '../../bindings/frame/subject.ts'

function row(rule: FindingKind): string {
  const severities = RULESETS.map((ruleset) => severityOf(rule, ruleset))
  return `| \`${rule.id}\` | ${rule.code} | ${rule.section} | ${rule.title} | ${severities.join(' | ')} |`
}

/** Rules by code with the severity in each ruleset, as a Markdown table. */
export function rulesTable(rules: readonly FindingKind[]): string {
  const byCode = (a: FindingKind, b: FindingKind) => (`${a.code} ${a.id}` < `${b.code} ${b.id}` ? -1 : 1)
  return [
    `| rule | code | section | title | ${RULESETS.join(' | ')} |`,
    '|---|---|---|---|---|---|---|---|',
    ...[...rules].sort(byCode).map(row),
    '',
  ].join('\n')
}
