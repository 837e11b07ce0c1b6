import { readFile } from 'node:fs/promises'
import { everyRule } from '../../bindings/catalogue.ts'
import type { RuleInfo } from '../../bindings/document/rule.ts'
import { suggest } from '../../bindings/document/suggest.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { UsageError } from '../usage.ts'
import { VALIDATE_FINDINGS } from '../validate/findings.ts'

/** What a code means that no rule has: a section of docs/diagnostics.md or docs/keys.md. */
interface Section {
  readonly code: string
  readonly title: string
  readonly text: string
}

/** `blazon explain`: what a code or a rule demands and why, with an example that breaks it and the same mended. */
export async function run({ positionals }: Context): Promise<Outcome> {
  const rules = unique([...everyRule(), ...VALIDATE_FINDINGS])
  const sections = await readSections()
  if (positionals.length === 0) {
    const listed = [
      ...rules.map(({ code, id, title }) => [code, id, title]),
      ...sections.map(({ code, title }) => [code, '', title]),
    ]
    const output = listed.map(([code, id, title]) => `${code!.padEnd(9)} ${id!.padEnd(24)} ${title}\n`)
    return { results: [result({ rules: rules.map(({ code, id, title }) => ({ code, id, title })) })], output }
  }
  const found = positionals.map((name) => {
    const matching = rules.filter(({ id, code }) => same(id, name) || same(code, name))
    const section = sections.find(({ code }) => same(code, name))
    if (matching.length > 0 || section !== undefined) return { matching, section }
    const known = [...rules.flatMap(({ id, code }) => [id, code]), ...sections.map(({ code }) => code)]
    const nearest = suggest(name, known)
    throw new UsageError(
      'unknown-code',
      `there is no code or rule "${name}"`,
      nearest === undefined ? 'blazon explain lists all' : `did you mean ${nearest}?`,
    )
  })
  const texts = found.flatMap(({ matching, section }) =>
    matching.length > 0 ? matching.map(explanation) : [`${section!.code}: ${section!.title}\n\n${section!.text}\n`],
  )
  return {
    results: [result({ rules: found.flatMap(({ matching }) => matching.map(shown)) })],
    output: [texts.join('\n')],
  }
}

function result(data: object): Result {
  return { file: null, kind: null, valid: true, diagnostics: [], ...data }
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** A rule may be in several lists. */
function unique(rules: readonly RuleInfo[]): RuleInfo[] {
  return [...new Map(rules.map((rule) => [`${rule.code} ${rule.id}`, rule])).values()].sort((a, b) =>
    `${a.code} ${a.id}` < `${b.code} ${b.id}` ? -1 : 1,
  )
}

function shown({ code, id, title, section, severity, rulesets, why, bad, good }: RuleInfo) {
  return { code, id, title, section, severity, ...(rulesets !== undefined && { rulesets }), why, bad, good }
}

function explanation(rule: RuleInfo): string {
  const { code, id, title, section, severity, rulesets = {}, why, bad, good } = rule
  const elsewhere = Object.entries(rulesets).map(([name, other]) => `${other} in the ruleset ${name}`)
  return [
    `${code} ${id}: ${title}`,
    [section, severity, ...elsewhere].join(', '),
    '',
    ...wrapped(why),
    '',
    'Breaks it:',
    ...example(bad),
    '',
    'Keeps it:',
    ...example(good),
    '',
  ].join('\n')
}

/** An example, indented; JSON laid out. */
function example(text: string): string[] {
  let shownText = text
  try {
    shownText = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // YAML, or no document at all: as it is.
  }
  return shownText.split('\n').map((line) => `  ${line}`)
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < 80) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const PAGES = ['diagnostics.md', 'keys.md']

/** The pages lie beside the program, in the package as in the sources. */
async function readSections(): Promise<readonly Section[]> {
  const pages = await Promise.all(PAGES.map((name) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')))
  return pages.flatMap(sectionsOf)
}

function sectionsOf(page: string): Section[] {
  return page
    .split(/^(?=### )/m)
    .slice(1)
    .flatMap((part) => {
      const [, code, title] = /^### ([A-Z]+-\d+) (.+)\n/.exec(part) ?? []
      const text = part
        .replace(/^### .+\n/, '')
        .split(/^## /m)[0]!
        .trim()
      return code === undefined ? [] : [{ code, title: title!, text }]
    })
}
