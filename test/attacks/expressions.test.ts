// Checks every regular expression of bindings, edge and cli, because nearly all of them run on untrusted text. None may
// take more than linear work, so no input has to be short. A matcher counts the work, instead of a clock.

import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesOf } from '../../scripts/files.mjs'
import { countMatching, TooMany } from '../oracle/backtrack.ts'

/**
 * Twice the text should take twice the work; three times or more is quadratic. Less than LEAST_WORK is not measured.
 */
const MOST_GROWTH = 3
const LEAST_WORK = 2_000
/** No linear expression takes this much for 128 characters. */
const MOST_WORK = 100_000

/** The expressions that are not linear, with the longest text that they see and the reason. */
const BOUNDED: Readonly<Record<string, { readonly longest: number; readonly because: string }>> = {
  'bindings/card/subject.ts /0+$/': { longest: 64, because: 'an integer; longer ones are refused before' },
  'bindings/frame/assist/cursor.ts ': { longest: 256, because: 'the beginning of a line' },
}

/** Files that compose expressions from parts. */
const COMPOSED = [
  'bindings/adl/rules/identifiers.ts',
  // Of texts of at most 256 characters.
  'bindings/agentlang/lock/range.ts',
  'bindings/directory/text/words.ts',
  // The names of files in bindings/specifications.ts.
  'bindings/frame/detect.ts',
  'bindings/frame/shape.ts',
  // Names of repositories, and of two fixed parameters.
  'bindings/agentlang/registry/client.ts',
  // A fixed text.
  'bindings/runs/record/words.ts',
  // For expressions in schemas: bindings/schema/regex limits their work.
  'bindings/schema/regex/parse.ts',
  'bindings/schema/regex/program.ts',
  'bindings/schema/regex/regex.ts',
  'bindings/text/hidden.ts',
  'bindings/text/secret-shapes.ts',
  'bindings/wellknown/rules/capabilities.ts',
  'cli/inputs.ts',
  'cli/writer.ts',
]

const literals = new Map<string, RegExp>()
const composed = new Set<string>()

for (const file of ['bindings', 'edge', 'cli'].flatMap((folder) => filesOf(folder))) {
  if (!/(?<!\.d)\.ts$/.test(file)) continue
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') composed.add(file)
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      literals.set(`${file} ${node.text}`, new RegExp(node.text.slice(1, end), node.text.slice(end + 1)))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

/** Each unit with each start, and those without a start with each ending. */
function* textsOf(units: readonly string[], starts: readonly string[]) {
  for (const unit of units) {
    for (const start of starts) yield [unit, start, ENDINGS[0]!] as const
    for (const end of ENDINGS.slice(1)) yield [unit, '', end] as const
  }
}

/** Texts that an attacker may repeat: each character that the expression names, alone and next to a letter. */
function unitsOf({ source }: RegExp): { readonly units: readonly string[]; readonly starts: readonly string[] } {
  const named = source.replace(/\\[pPwWdDsSbBkux]\{?[^}]*\}?|[\^$*+?()|{}\\[\]]/g, '')
  const letters = [...new Set(named)].slice(0, 14)
  const pairs = letters.slice(0, 5).flatMap((letter) => [`a${letter}`, `${letter}a`])
  return {
    units: [...new Set([...letters, 'a', '0', ' ', '-', '\n', 'A']), ...pairs],
    starts: ['', ...letters.slice(0, 5)],
  }
}

/** Endings that make a match fail late: a character that no expression has, and the first ones that it names. */
const ENDINGS = ['\u0001', '~', '!', '"', '\\']

/** A text for which twice the length takes more than twice the work; undefined if none was found. */
function worstOf(expression: RegExp): string | undefined {
  const { units, starts } = unitsOf(expression)
  for (const [unit, start, end] of textsOf(units, starts)) {
    {
      const work = (length: number) => {
        const run = unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
        return countMatching(expression, `${start}${run}${end}`, MOST_WORK)
      }
      try {
        const whole = work(128)
        if (whole > LEAST_WORK && whole > MOST_GROWTH * work(64)) return JSON.stringify(start + unit)
      } catch (error) {
        if (!(error instanceof TooMany)) throw error
        return JSON.stringify(start + unit)
      }
    }
  }
  return undefined
}

test('the expressions are found', () => {
  expect(literals.size).toBeGreaterThan(400)
})

test('no expression takes more than linear work, except those that only see short texts', () => {
  const found: string[] = []
  for (const [name, expression] of literals) {
    const worst = worstOf(expression)
    if (worst !== undefined) found.push(`${name} for ${worst}`)
  }
  expect(found.filter((name) => !Object.keys(BOUNDED).some((known) => name.startsWith(known)))).toEqual([])
  for (const { longest } of Object.values(BOUNDED)) expect(longest).toBeLessThanOrEqual(256)
}, 60_000)

test('the files that compose expressions are known', () => {
  expect([...composed].sort()).toEqual([...COMPOSED].sort())
})

test('recognizes quadratic and worse expressions', () => {
  for (const expression of [
    /\s*\r?\n\s*/g,
    /^(a+)+$/,
    /=+$/,
    /a*b/g,
    /;[ \t]*(?:x)?[ \t]*$/y,
    /[_-]+([a-z0-9])/g,
    /^(\/([^~]|~[01])*)+$/,
  ]) {
    expect(worstOf(expression), String(expression)).toBeDefined()
  }
  for (const expression of [/^[a-z]+$/, /\s+/g, /^a*b/]) expect(worstOf(expression), String(expression)).toBeUndefined()
})
