import { expect, test } from 'vitest'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { COMMON } from '../../cli/command.ts'
import { blazon } from './terminal.ts'

const SECRETS = ['ada.lovelace@acme.example.com', 'The plan is']

/** The finding is on the same line as confidential content. */
const document = (sensitivity: string) =>
  JSON.stringify({
    provider: { name: 'Acme', contact: SECRETS[0] },
    big: 'NUMBER',
    system_prompt: SECRETS[1],
    data_classification: { sensitivity },
    adl_spec: '0.1.0',
  }).replace('"NUMBER"', '12345678901234567890')

const COMMANDS = [
  ['gate', 'a.adl.json'],
  ['review', 'a.adl.json'],
  ['grants', 'a.adl.json'],
  ['permissions', 'a.adl.json'],
  ['verify', 'a.adl.json'],
  ['decide', 'a.adl.json', 'tool', 'name=a'],
  ['diff', 'a.adl.json', 'b.adl.json'],
]

test.each(COMMANDS)('[adl/18.9-2] blazon %s shows nothing confidential', async (...argv) => {
  for (const format of ['pretty', 'json']) {
    const run = async (sensitivity: string) => {
      const text = document(sensitivity)
      const files = { 'a.adl.json': text, 'b.adl.json': text.replace('Acme', 'Acme Corp') }
      const { stdout, stderr } = await blazon([...argv, '--format', format], { files, columns: 4000 })
      return stdout + stderr
    }
    const shown = await run('confidential')
    expect(shown).toContain('DOC-120')
    for (const word of SECRETS) expect(shown).not.toContain(word)
    if (format === 'pretty') expect(await run('internal')).toContain(SECRETS[1])
  }
})

test('[adl/18.9-2] blazon fmt shows it only in the document itself', async () => {
  const { stdout, stderr } = await blazon(['fmt', 'a.adl.json'], { files: { 'a.adl.json': document('restricted') } })
  expect(stdout).toContain(SECRETS[0])
  expect(stderr).toContain('DOC-120')
  for (const word of SECRETS) expect(stderr).not.toContain(word)
})

const CARRYING: readonly (readonly [to: ConvertFormat, verb: string, options: readonly string[]])[] = [
  ['a2a-1.0', 'validate', []],
  ['a2a-0.3', 'validate', []],
  ['mcp-server', 'validate', []],
  ['card', 'validate', []],
  ['a2a-1.0', 'verify', []],
  ['mcp-2025-11-25', 'convert', ['--to', 'adl']],
  ['mcp-2026-07-28', 'convert', ['--to', 'adl']],
]

test.each(CARRYING)(
  '[adl/18.9-2] a definition carried in %s: blazon %s shows nothing confidential',
  async (to, verb, options) => {
    const run = async (sensitivity: string) => {
      const definition = { ...JSON.parse(document(sensitivity)), name: 'A', description: 'B', version: '1.0.0', big: 1 }
      const given = { url: 'https://a.example', serverName: 'com.example/a', id: 'agent://a', carry: 'all' } as const
      const made = JSON.stringify(convert(JSON.stringify(definition), { ...given, to }).document!.value)
      const text = made.replace('"system_prompt":', '"x_big":12345678901234567890,$&')
      const { stdout, stderr } = await blazon([verb, 'a.json', ...options], {
        files: { 'a.json': text },
        columns: 4000,
      })
      return verb === 'convert' ? stderr : stdout + stderr
    }
    const shown = await run('restricted')
    expect(shown).toContain('DOC-120')
    for (const word of SECRETS) expect(shown).not.toContain(word)
    expect(await run('internal')).toContain(SECRETS[1])
  },
)

/** Members that are misspelled or in the wrong place. */
const MISSPELT: readonly (readonly [name: string, change: (text: string) => string])[] = [
  ['systemPrompt', (text) => text.replace('system_prompt', 'systemPrompt')],
  ['Contact', (text) => text.replace('"contact"', '"Contact"')],
  ['a list of providers', (text) => text.replace(/("provider":)(\{.*?\})/, '$1[$2]')],
  [
    'promts',
    (text) => text.replace('"system_prompt":"The plan is"', '"promts":[{"name":"a","text":1,"templte":"The plan is"}]'),
  ],
  ['a prompt that is a text', (text) => text.replace('"system_prompt":"The plan is"', '"prompts":["The plan is"]')],
  ['con/tact', (text) => text.replace('"contact"', '"con/tact"')],
  ['dataClassification', (text) => text.replace('data_classification', 'dataClassification')],
  ['Confidential', (text) => text.replace('"confidential"', '"Confidential"')],
]

test.each(MISSPELT)(
  '[adl/18.9-2] %s: blazon validate shows nothing confidential in findings about it',
  async (_, change) => {
    const laidOut = JSON.stringify(JSON.parse(change(document('confidential'))), null, 2)
    for (const text of [change(document('confidential')), laidOut]) {
      for (const more of [[], ['--format', 'json'], ['--format', 'html'], ['--fix-dry-run']]) {
        const { stdout, stderr } = await blazon(['validate', 'a.adl.json', ...more], { files: { 'a.adl.json': text } })
        expect(stdout + stderr).not.toBe('')
        for (const word of SECRETS) expect(stdout + stderr).not.toContain(word)
      }
    }
  },
)

/** Broken at a secret: inside a string, after it, and in YAML. */
const BROKEN: readonly (readonly [name: string, text: string])[] = [
  ['a.adl.json', document('confidential').replace('The plan is"', 'The plan is\n"')],
  ['a.adl.json', document('restricted').replace('"The plan is"', '"The plan is" "The plan is"')],
  ['a.adl.json', document('confidential').replace('"The plan is"', "'The plan is'")],
  ['a.adl.json', document('confidential').replace('"big"', '"system_prompt"')],
  ['a.adl.json', `{"data_classification":{"sensitivity":"confidential"},"system_prompt":"The plan is`],
  [
    'a.adl.yaml',
    `data_classification:\n  sensitivity: # of all\n    !!str restricted\nsystem_prompt: "The plan is" 1\n`,
  ],
  ['a.adl.yaml', `data_classification:\n  sensitivity: restricted\nsystem_prompt: "The plan is" ${SECRETS[0]}\n`],
]

test.each(BROKEN)(
  '[adl/18.9-2] nothing is shown of %s, which cannot be read and seems confidential: %#',
  async (name, text) => {
    for (const format of COMMON.format.choices) {
      for (const argv of [
        ['validate', name],
        ['verify', name],
        ['validate', '--fix-dry-run', name],
      ]) {
        if (argv[0] === 'verify' && !['pretty', 'json'].includes(format)) continue
        const run = async (files: Record<string, string>) => {
          const { stdout, stderr, code } = await blazon([...argv, '--format', format], { files, columns: 4000 })
          expect(code).not.toBe(0)
          return stdout + stderr
        }
        const shown = await run({ [name]: text })
        expect(shown).toMatch(/ADL-1001|DOC-1/)
        for (const word of SECRETS) expect(shown).not.toContain(word)
        const open = await run({ [name]: text.replace(/confidential|restricted/, 'internal') })
        if (format === 'pretty') expect(open).toContain(SECRETS[1])
      }
    }
  },
)

test('no report shows a token of Blazon', async () => {
  const token = `blazon1.publish.0.Y2k.${'a'.repeat(43)}`
  const card = JSON.stringify({ id: 'agent://a', name: 'A', description: `Bearer ${token}`, seq: 'one' }, null, 1)
  for (const format of ['pretty', 'json', 'sarif', 'github', 'markdown']) {
    const { stdout, stderr } = await blazon(['validate', 'a.json', '--format', format], { files: { 'a.json': card } })
    expect(stdout + stderr).toContain('CARD-143')
    expect(stdout + stderr).not.toContain(token.slice(0, 12))
  }
})
