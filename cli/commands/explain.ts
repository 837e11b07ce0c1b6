import { catalogue } from '../../bindings/catalogue.ts'
import type { FindingInfo } from '../../bindings/document/finding.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import { parse } from '../../bindings/document/parse.ts'
import { defineCommand } from '../command.ts'
import { explained } from '../findings.ts'
import { answer } from '../outcome.ts'
import { nearestOr, UsageError } from '../usage.ts'
import { wrapped } from '../wrap.ts'

/** `blazon explain`: what a code or rule requires and why, with a bad and a good example. */
export const command = defineCommand({
  usage: '[CODE|RULE...]',
  details: [
    'Shows what a rule requires and why, with an example that breaks it and the same',
    'example fixed. Lists all codes if none is given.',
  ],
  options: {},
  examples: ['blazon explain ADL-2002', 'blazon explain bare-wildcard HC-05'],
  async run({ positionals, print }) {
    const rows = [...catalogue(), ...explained()]
    if (positionals.length === 0) {
      const all = sorted(rows)
      print(...all.map(({ code, id, title }) => `${code.padEnd(9)} ${id.padEnd(24)} ${title}\n`))
      return { results: [answer({ rules: all.map(({ code, id, title }) => ({ code, id, title })) })] }
    }
    const found = positionals.flatMap((name) => {
      const matching = rows.filter(({ id, code }) => same(id, name) || same(code, name))
      if (matching.length > 0) return matching
      const known = rows.flatMap(({ id, code }) => [id, code])
      const hint = nearestOr('blazon explain lists all', name, known)
      throw new UsageError('unknown-code', `there is no code or rule "${name}"`, hint)
    })
    print(found.map(explanation).join('\n'))
    return { results: [answer({ rules: found.map(shown) })] }
  },
})

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function sorted(rows: readonly FindingInfo[]): FindingInfo[] {
  return [...rows].sort((a, b) => (`${a.code} ${a.id}` < `${b.code} ${b.id}` ? -1 : 1))
}

function shown({ code, id, title, section, severity, rulesets, why, bad, good }: FindingInfo) {
  return { code, id, title, section, severity, ...(rulesets !== undefined && { rulesets }), why, bad, good }
}

function explanation(rule: FindingInfo): string {
  const { code, id, title, section, severity, rulesets = {}, why, bad, good } = rule
  const elsewhere = Object.entries(rulesets).map(([name, other]) => `${other} in the ruleset ${name}`)
  return [
    `${code} ${id}: ${title}`,
    [section, severity, ...elsewhere].join(', '),
    '',
    ...wrapped(why, 80),
    '',
    'Breaks it:',
    ...example(bad),
    '',
    'Keeps it:',
    ...example(good),
    '',
  ].join('\n')
}

/** Indents an example. JSON is formatted; YAML and other text stay as they are. */
function example(text: string): string[] {
  const { document } = parse(text)
  const laidOut = document === undefined ? text : new TextDecoder().decode(formatJson(document)).trimEnd()
  return laidOut.split('\n').map((line) => `  ${line}`)
}
