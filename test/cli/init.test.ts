import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { TEMPLATES } from '../../bindings/adl/templates.ts'
import { validate } from '../../bindings/adl/validate.ts'
import { blazon } from './terminal.ts'

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()

describe.each(Object.keys(TEMPLATES))('the template %s', (template) => {
  // Two files of one template may be written in two seconds, and hold the time.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is valid, in YAML and in JSON, and the same in both', async () => {
    const yaml = await blazon(['init', 'invoice-agent.adl.yaml', '--template', template])
    const json = await blazon(['init', 'invoice-agent.adl.json', '--template', template])
    expect([yaml.code, json.code]).toEqual([0, 0])
    const document = text(json.saved.get('invoice-agent.adl.json'))
    expect(parseYaml(text(yaml.saved.get('invoice-agent.adl.yaml')))).toEqual(JSON.parse(document))
    expect(JSON.parse(document).name).toBe('Invoice agent')
    for (const { saved } of [yaml, json]) {
      const files = Object.fromEntries([...saved].map(([name, bytes]) => [name, text(bytes)]))
      expect(await blazon(['fmt', '--check', ...saved.keys()], { files })).toMatchObject({ code: 0, stdout: '' })
    }
    const findings = validate(document).diagnostics.filter(({ severity }) => severity !== 'info')
    expect(findings).toEqual([])
  })
})

test('never writes over a file', async () => {
  const { code, stderr, saved } = await blazon(['init', 'a.adl.json'], { files: { 'a.adl.json': '{}' } })
  expect(code).toBe(2)
  expect(stderr).toContain('a.adl.json is there already')
  expect(saved.size).toBe(0)
})

test('--dry-run shows the document and writes nothing', async () => {
  const { code, stdout, saved } = await blazon(['init', '--dry-run', '--name', 'Scout'])
  expect(code).toBe(0)
  expect(parseYaml(stdout)).toMatchObject({ name: 'Scout', adl_spec: '0.1.0' })
  expect(saved.size).toBe(0)
})

test.each([[['a.txt']], [['a.adl.json', 'b.adl.json']], [['--template', 'none']]])(
  '%j is wrong usage',
  async (argv) => {
    expect((await blazon(['init', ...argv])).code).toBe(2)
  },
)
