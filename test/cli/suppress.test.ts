import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'
import { AGENT, agent, findings, WILD } from './validating.ts'

describe('suppressions', () => {
  const reason = 'a relay'

  test('work from the configuration, YAML comments and a member of the document', async () => {
    const pointer = '/permissions/network/allowed_hosts/0'
    const config = JSON.stringify({ suppress: [{ rule: 'bare-wildcard', files: ['a.*'], pointer, reason }] })
    expect(await findings(['a.adl.json'], { 'a.adl.json': agent(WILD), 'blazon.config.json': config })).toEqual([])
    const member = { x_blazon_suppress: [{ rule: 'bare-wildcard', pointer: '/permissions', reason }] }
    expect(await findings(['a.adl.json'], { 'a.adl.json': agent({ ...WILD, ...member }) })).toEqual([])
    const { permissions: _, ...plain } = { ...AGENT, permissions: 0 }
    const yaml = `${JSON.stringify(plain)
      .slice(1, -1)
      .replaceAll(/,(?=")/g, '\n')
      .replaceAll(
        /"(\$?\w+)":/g,
        '$1: ',
      )}\npermissions:\n  network:\n    allowed_hosts:\n      # blazon-ignore bare-wildcard: a relay\n      - "*"\n`
    expect(await findings(['a.adl.yaml'], { 'a.adl.yaml': yaml })).toEqual([])
  })

  test('reports a suppression of nothing, and one of an error', async () => {
    const unused = { x_blazon_suppress: [{ rule: 'secret', reason }] }
    expect(await findings(['a.adl.json'], { 'a.adl.json': agent(unused) })).toEqual(['warning unused-suppression'])
    const error = { version: '1', x_blazon_suppress: [{ rule: 'ADL-1006', reason }] }
    const rules = await findings(['a.adl.json'], { 'a.adl.json': agent(error) })
    expect(rules).toContain('warning suppressed-error')
    expect(rules.some((rule) => rule.startsWith('error'))).toBe(true)
  })

  test.each([
    ['bare-wildcrd', 'unknown rule or code "bare-wildcrd"', 'did you mean bare-wildcard?'],
    ['BADL-9999', 'unknown rule or code "BADL-9999"', 'blazon explain lists all'],
  ])('reports the unknown rule %s with a suggestion', async (rule, detail, hint) => {
    const source = agent({ x_blazon_suppress: [{ rule, reason }] })
    const yaml = `${agent().trimEnd()} # blazon-ignore ${rule}: ${reason}\n`
    for (const [name, text] of Object.entries({ 'a.adl.json': source, 'a.adl.yaml': yaml })) {
      const { stdout } = await blazon(['validate', name, '--format', 'json'], { files: { [name]: text } })
      expect(JSON.parse(stdout).results[0].diagnostics).toMatchObject([
        { rule: 'unused-suppression', detail: `${rule} finds nothing here: ${detail}`, fix: { hint } },
      ])
    }
  })

  test('reports a suppression without a reason, which hides nothing', async () => {
    const entries = [{ rule: 'bare-wildcard' }, { rule: 'BADL-105', reason: ' ' }, { reason }, 7, null]
    const pointed = { rule: 'bare-wildcard', reason, pointer: 'permissions' }
    for (const entry of [...entries, pointed]) {
      const source = agent({ ...WILD, x_blazon_suppress: [entry] })
      expect(await findings(['a.adl.json'], { 'a.adl.json': source })).toEqual([
        'warning bare-wildcard',
        'warning malformed-suppression',
      ])
    }
    expect(await findings(['a.adl.json'], { 'a.adl.json': agent({ x_blazon_suppress: { rule: 'x' } }) })).toEqual([
      'warning malformed-suppression',
    ])
    for (const comment of ['bare-wildcard', 'bare-wildcard:', '']) {
      const yaml = `${agent(WILD).trimEnd()} # blazon-ignore ${comment}\n`
      expect(await findings(['a.adl.yaml'], { 'a.adl.yaml': yaml })).toEqual([
        'warning bare-wildcard',
        'warning malformed-suppression',
      ])
    }
  })

  test('the member also counts in YAML', async () => {
    const member = { x_blazon_suppress: [{ rule: 'bare-wildcard', reason }] }
    expect(await findings(['a.adl.yaml'], { 'a.adl.yaml': agent({ ...WILD, ...member }) })).toEqual([])
  })
})
