// Agent Cards in init, fmt, validate and explain.
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import * as A2A from '../../bindings/a2a/findings.ts'
import * as AGENT_CARD from '../../bindings/card/findings.ts'
import { validate } from '../../bindings/card/index.ts'
import { blazon } from './terminal.ts'

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()
const CARD = '{\n  "id": "agent://scout",\n  "name": "Scout",\n  "skills": ["Machine_Learning"],\n  "tools": []\n}\n'

describe('blazon init --kind card', () => {
  test.each(['minimal', 'tools'])(
    '[card/6.1-1] the template %s is valid, and lacks its signature and what its author knows',
    async (template) => {
      const argv = ['init', 'Übersetzer-2.card.json', '--kind', 'card', '--template', template]
      const { code, saved } = await blazon(argv)
      expect(code).toBe(0)
      const card = text(saved.get('Übersetzer-2.card.json'))
      expect(JSON.parse(card)).toMatchObject({ id: 'agent://ubersetzer-2', name: 'Übersetzer 2', seq: 1 })
      const { valid, diagnostics } = validate(card)
      expect([valid, [...new Set(diagnostics.map(({ rule }) => rule))]]).toEqual([
        true,
        ['no-signature', 'placeholder'],
      ])
      const files = { 'a.json': card }
      expect(await blazon(['fmt', '--check', 'a.json'], { files })).toMatchObject({ code: 0, stdout: '' })
    },
  )

  test('writes agent.card.json or YAML, and names the kind', async () => {
    expect([...(await blazon(['init', '--kind', 'card'])).saved.keys()]).toEqual(['agent.card.json'])
    const { stdout } = await blazon(['init', 'scout.card.yaml', '--kind', 'card', '--dry-run'])
    expect(parseYaml(stdout)).toMatchObject({ id: 'agent://scout', name: 'Scout' })
    const report = JSON.parse((await blazon(['init', '--kind', 'card', '--dry-run', '--format', 'json'])).stdout)
    expect(report.results[0]).toMatchObject({ kind: 'card', valid: true })
  })

  test('has no templates of profiles', async () => {
    const { code, stderr } = await blazon(['init', '--kind', 'card', '--template', 'healthcare'])
    expect(code).toBe(2)
    expect(stderr).toContain('templates of cards are minimal and tools')
  })
})

describe('blazon fmt --compact', () => {
  test('removes white space and reports how much that saves', async () => {
    const { code, stdout, stderr } = await blazon(['fmt', '--compact', 'a.json'], { files: { 'a.json': CARD } })
    const compact = '{"id":"agent://scout","name":"Scout","skills":["Machine_Learning"],"tools":[]}'
    expect([code, stdout]).toEqual([0, compact])
    expect(stderr).toBe(
      `a.json: ${compact.length} octets without white space, ${CARD.length - compact.length} fewer; a card may have 65535\n`,
    )
  })

  test('leaves strings and numbers as they are', async () => {
    const source = '{ "a b" : " \\" { } \\\\ " ,\t"n": [ 1.50 , -0e1 ] , "é\\u00e9": "" }\r\n'
    const { stdout, stderr } = await blazon(['fmt', '--compact'], { stdin: source })
    expect(stdout).toBe('{"a b":" \\" { } \\\\ ","n":[1.50,-0e1],"é\\u00e9":""}')
    expect(stderr).not.toContain('card')
  })

  test('writes a line for each document; --write and --check work on files', async () => {
    const files = { 'a.json': '{ "a": 1 }', 'b.json': '{"b":2}' }
    expect((await blazon(['fmt', '--compact', 'a.json', 'b.json'], { files })).stdout).toBe('{"a":1}\n{"b":2}\n')
    expect((await blazon(['fmt', '--compact', '--check', 'a.json', 'b.json'], { files })).code).toBe(1)
    expect(text((await blazon(['fmt', '--compact', '--write', 'a.json'], { files })).saved.get('a.json'))).toBe(
      '{"a":1}',
    )
  })

  test('refuses YAML, and --sort', async () => {
    const yaml = await blazon(['fmt', '--compact', 'a.yaml'], { files: { 'a.yaml': 'a: 1\n' } })
    expect(yaml.stdout).toBe('')
    expect(yaml.stderr).toContain('only JSON can be compact')
    expect((await blazon(['fmt', '--compact', '--sort'], { stdin: '{}' })).code).toBe(2)
  })
})

describe('blazon validate', () => {
  test('checks cards as it checks definitions', async () => {
    const { code, stderr } = await blazon(['validate', 'a.json'], { files: { 'a.json': CARD } })
    expect(code).toBe(0)
    expect(stderr).toContain('a.json is valid (card)')
    expect(stderr).toContain('CARD-120')
    expect((await blazon(['validate', 'a.json', '--as', 'card'], { files: { 'a.json': '{"id":"x"}' } })).code).toBe(1)
  })

  test('takes cards from folders by their names, as fmt and verify do', async () => {
    const files = { 'agents/a.card.json': CARD, 'agents/b.card.yaml': 'id: agent://b\nname: B\n', 'agents/c.json': '{' }
    const { results } = JSON.parse((await blazon(['validate', 'agents', '--format', 'json'], { files })).stdout)
    expect(results.map(({ file, kind }: Record<string, string>) => `${file} ${kind}`)).toEqual([
      'agents/a.card.json card',
      'agents/b.card.yaml card',
    ])
    expect((await blazon(['fmt', 'agents', '--check'], { files })).stderr).toContain('0 of 2 files not formatted')
  })

  test('--fix applies safe fixes, and none to a signed card', async () => {
    const mended = await blazon(['validate', '--fix', 'a.json'], { files: { 'a.json': CARD } })
    expect(JSON.parse(text(mended.saved.get('a.json')))).toEqual({
      id: 'agent://scout',
      name: 'Scout',
      skills: ['machine-learning'],
      tools: [],
    })
    const signed = CARD.replace('"tools": []', `"signature": "${'A'.repeat(86)}"`)
    expect((await blazon(['validate', '--fix', 'a.json'], { files: { 'a.json': signed } })).saved.size).toBe(0)
  })

  test('[card/7.6-2] --fix removes empty members at any position', async () => {
    const card =
      '{\n  "description": "",\n  "id": "agent://a",\n  "skills": [],\n  "name": "A",\n  "extensions": {},\n  "constraints": {}\n}\n'
    const { saved } = await blazon(['validate', '--fix', 'a.json'], { files: { 'a.json': card } })
    expect(text(saved.get('a.json'))).toBe('{\n  "id": "agent://a",\n  "name": "A"\n}\n')
  })

  test('applies rulesets, severities and suppressions to cards', async () => {
    const files = {
      'a.json': CARD.replace(
        '"tools": []',
        '"x_blazon_suppress": [{"rule": "no-signature", "reason": "signed at release"}]',
      ),
    }
    const run = async (...argv: string[]) => (await blazon(['validate', 'a.json', ...argv], { files })).stderr
    expect(await run()).not.toContain('CARD-131')
    expect(await run('--rule', 'CARD-120=off')).not.toContain('CARD-120')
    expect((await blazon(['validate', 'a.json', '--rule', 'skill-form=error'], { files })).code).toBe(1)
    expect((await blazon(['validate', 'a.json', '--rule', 'skil-form=error'], { files })).stderr).toContain(
      'skill-form',
    )
  })
})

test('blazon explain knows every rule of cards', async () => {
  const { stdout } = await blazon(['explain'])
  for (const { code, id } of [...A2A.explained(), ...AGENT_CARD.explained()])
    expect(stdout).toMatch(new RegExp(`^${code} +${id} `, 'm'))
  const one = await blazon(['explain', 'CARD-120'])
  expect(one.stdout).toContain('Tag that is not in lower-case ASCII with hyphens')
})
