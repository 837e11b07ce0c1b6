import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../bindings/catalogue.ts'
import type { FindingInfo } from '../../bindings/document/finding.ts'
import { explained } from '../../cli/findings.ts'

const rows: readonly FindingInfo[] = [...catalogue(), ...explained()]

describe('a finding in dist/', () => {
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

  it('has its reason in the compressed catalogue alone', () => {
    const code = readdirSync('dist/chunks').map((file) => readFileSync(`dist/chunks/${file}`, 'utf8'))
    const text = code.join('').replaceAll('\\\n', '')
    const reasons = catalogue()
      .map(({ why }) => why)
      .filter((why) => why.length > 60 && !/['"\\]/.test(why))
    expect(reasons.length).toBeGreaterThan(300)
    expect(reasons.filter((why) => text.includes(why))).toEqual([])
  })
})

const codes = () => [...new Set(rows.map(({ code }) => code))]

function sorted(rows: readonly { readonly code: string; readonly id: string }[]) {
  const name = ({ code, id }: { readonly code: string; readonly id: string }) => `${code} ${id}`
  return [...rows].sort((a, b) => (name(a) < name(b) ? -1 : 1))
}
