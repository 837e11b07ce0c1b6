import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../bindings/catalogue.ts'
import type { RuleInfo } from '../../bindings/frame/rule.ts'
import { CLI_FINDINGS } from '../../cli/findings.ts'
import { withoutExplanations } from '../../scripts/explanations.mjs'

const rows: readonly RuleInfo[] = [...catalogue(), ...CLI_FINDINGS]

describe('a row about a finding in dist/', () => {
  it.each([
    [
      'a row',
      "{ id: 'a', code: 'A-1', title: 'T', why: 'W', bad: 'B', good: 'G' }",
      "{ id: 'a', code: 'A-1', title: 'T' }",
    ],
    ['texts that are made', "{ bad: A + 1, good: f('x, y'), id: 'a' }", "{ id: 'a' }"],
    ['a part that others spread', "{ ...info, why: W, bad: 'B', good: 'G' }", '{ ...info }'],
    [
      'a row in a row',
      "{ code: 'A', title: 'T', why: { bad: 'B', good: 'G' }, list: [{ bad: 1, good: 2 }] }",
      "{ code: 'A', title: 'T', list: [{}] }",
    ],
    ['nothing else', "{ id: 'a', why: found.why }", "{ id: 'a', why: found.why }"],
  ])('loses its explanation: %s', (_, before, after) => {
    const plain = (text: string) => text.replace(/\s|,(?=\s*\})/g, '')
    expect(plain(withoutExplanations('a.ts', `const x = ${before}`))).toBe(plain(`const x = ${after}`))
  })

  it('is explained as the sources explain it', () => {
    const said = execFileSync('node', ['dist/cli/blazon.js', 'explain', ...codes(), '--format', 'json'], {
      encoding: 'utf8',
    })
    const [{ rules }] = JSON.parse(said).results
    const plain = rows.map(({ id, code, title, section, severity, rulesets, why, bad, good }) => {
      return { code, id, title, section, severity, ...(rulesets !== undefined && { rulesets }), why, bad, good }
    })
    expect(sorted(rules)).toEqual(sorted(plain))
  })

  it('has its reason in the catalogue alone', () => {
    const files = readdirSync('dist/chunks').map((file) => [file, readFileSync(`dist/chunks/${file}`, 'utf8')] as const)
    const holders = (text: string) =>
      files.filter(([, code]) => code.replaceAll('\\\n', '').includes(text)).map(([file]) => file)
    const reasons = catalogue()
      .map(({ why }) => why)
      .filter((why) => why.length > 60 && !/['"\\]/.test(why))
    expect(reasons.length).toBeGreaterThan(300)
    expect(new Set(reasons.flatMap(holders))).toEqual(new Set([expect.stringMatching(/^explain-/)]))
  })
})

const codes = () => [...new Set(rows.map(({ code }) => code))]

function sorted(rows: readonly { readonly code: string; readonly id: string }[]) {
  const name = ({ code, id }: { readonly code: string; readonly id: string }) => `${code} ${id}`
  return [...rows].sort((a, b) => (name(a) < name(b) ? -1 : 1))
}
