import { catalogue } from '../../bindings/catalogue.ts'
import type { FindingInfo } from '../../bindings/document/finding.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import { parse } from '../../bindings/document/parse.ts'
import { answer, defineCommand, nearestOr, type Result, type Tools, UsageError } from '../command.ts'
import { explained } from '../findings.ts'
import { word } from '../report/report.ts'
import { wrapped } from '../writer.ts'

export const command = defineCommand({
  options: {},
  async run(context) {
    const { positionals, print } = context
    const rows = [...catalogue(), ...explained()]
    if (positionals.length === 0) {
      const all = sortRules(rows)
      print(...all.map(({ code, id, title }) => `${code.padEnd(9)} ${id.padEnd(24)} ${title}\n`))
      return { results: [answer({ rules: all.map(({ code, id, title }) => ({ code, id, title })) })] }
    }
    // No code and no rule has a dot.
    const isFile = (name: string) => /\.\w/.test(name)
    const certificates = await Promise.all(positionals.filter(isFile).map((name) => explainCertificate(name, context)))
    const names = positionals.filter((name) => !isFile(name))
    const found = names.flatMap((name) => {
      const matching = rows.filter(({ id, code }) => same(id, name) || same(code, name))
      if (matching.length > 0) return matching
      const known = rows.flatMap(({ id, code }) => [id, code])
      const hint = nearestOr('blazon explain lists all', name, known)
      throw new UsageError('unknown-code', `there is no code or rule "${name}"`, hint)
    })
    print(found.map(explanation).join('\n'))
    return { results: [...certificates, ...(names.length > 0 ? [answer({ rules: found.map(ruleData) })] : [])] }
  },
})

async function explainCertificate(name: string, { reader, print }: Tools): Promise<Result> {
  const { checkCertificate, describeCertificate } = await import('../runs/certificate.ts')
  const { bytes, file } = await reader.bytes(name)
  // DER begins with this byte.
  if (bytes[0] !== 0x30 && !Buffer.from(bytes).includes('-----BEGIN')) {
    const hint = `blazon validate ${word(file)} checks a document; explain takes the code of a finding, or a certificate`
    throw new UsageError('wrong-kind', `${file} is not a certificate`, hint)
  }
  const { agent, result } = await checkCertificate(bytes, file)
  print((agent === undefined ? [] : describeCertificate(agent)).map((line) => `${line}\n`).join(''))
  return result
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const sortRules = (rows: readonly FindingInfo[]): FindingInfo[] =>
  [...rows].sort((a, b) => (`${a.code} ${a.id}` < `${b.code} ${b.id}` ? -1 : 1))

function ruleData({ code, id, title, section, severity, rulesets, why, bad, good }: FindingInfo) {
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

function example(text: string): string[] {
  const { document } = parse(text)
  const laidOut = document === undefined ? text : new TextDecoder().decode(formatJson(document)).trimEnd()
  return laidOut.split('\n').map((line) => `  ${line}`)
}
