import { RULESETS, type RuleInfo, severityOf } from '../../bindings/frame/rule.ts'

function row(rule: RuleInfo): string {
  const severities = RULESETS.map((ruleset) => severityOf(rule, ruleset))
  return `| \`${rule.id}\` | ${rule.code} | ${rule.section} | ${rule.title} | ${severities.join(' | ')} |`
}

/** Rules by code with the severity in each ruleset, as a Markdown table. */
export function rulesTable(rules: readonly RuleInfo[]): string {
  const byCode = (a: RuleInfo, b: RuleInfo) => (`${a.code} ${a.id}` < `${b.code} ${b.id}` ? -1 : 1)
  return [
    `| rule | code | section | title | ${RULESETS.join(' | ')} |`,
    '|---|---|---|---|---|---|---|---|',
    ...[...rules].sort(byCode).map(row),
    '',
  ].join('\n')
}
