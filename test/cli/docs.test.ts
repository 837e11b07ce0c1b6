// Runs the commands in docs/reference/cli.md and compares their output.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMON, EXIT } from '../../cli/command.ts'
import { EVERY_COMMAND } from './every-command.ts'

const page = readFileSync('docs/reference/cli.md', 'utf8')
const program = resolve('dist/cli/blazon.js')
const built = existsSync(program)
if (!built) console.warn('NOT RUN: examples of docs/reference/cli.md: dist/cli/blazon.js is not built')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blazon-'))
  symlinkSync(program, join(folder, 'blazon'))
  writeFileSync(join(folder, 'a.json'), '{\n  "b": [1, 2.50],\n  "a": "x"\n}\n')
  const agent = (variables: string) =>
    `{\n  "adl_spec": "0.1.0",\n  "permissions": {\n    "environment": { "allowed_variables": ["${variables}"], "denied_variables": ["APP_SECRET_*"] }\n  }\n}\n`
  writeFileSync(join(folder, 'agent.adl.json'), agent('APP_*'))
  writeFileSync(join(folder, 'wider.adl.json'), agent('*'))
  writeFileSync(join(folder, 'b.json'), '{"a":"x","b":[1,2.25]}\n')
  const scout = { adl_spec: '0.1.0', name: 'Scout', description: 'Finds papers.', version: '1.0.0' }
  const prompt = { template: 'You find papers about {{topic}}.', variables: { topic: 'everything' } }
  writeFileSync(
    join(folder, 'scout.adl.json'),
    JSON.stringify({ ...scout, data_classification: { sensitivity: 'public' }, system_prompt: prompt }),
  )
  mkdirSync(join(folder, '.claude'))
  const rules = { allow: ['Bash(npm test)'], ask: ['Bash(git push *)'] }
  writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ permissions: rules }))
  mkdirSync(join(folder, 'cards'))
  const card = (name: string, skill: string, description: string) =>
    writeFileSync(
      join(folder, 'cards', `${name}.json`),
      JSON.stringify({ id: `agent://${name.toLowerCase()}`, name, description, skills: [skill] }),
    )
  card('Translator', 'nlp/translation', 'Translates contracts.')
  card('Weather', 'data/weather', 'Tells the weather.')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('docs/reference/cli.md', () => {
  const examples = [...page.matchAll(/```console\n\$ (.+)\n([^`]*)```/g)].map(([, line, output]) => [line!, output!])

  test.runIf(built).each(examples)('$ %s', (line, output) => {
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` }
    const { stdout } = spawnSync('sh', ['-c', line], { cwd: folder, env, encoding: 'utf8' })
    // A terminal starts the next prompt on its own line; so does the page.
    expect(stdout.endsWith('\n') ? stdout : `${stdout}\n`).toBe(output)
  })

  test('names every command, option and exit code', () => {
    for (const { name, command } of EVERY_COMMAND) {
      expect(page).toContain(`\n### ${name.split(' ')[0]} `)
      for (const word of name.split(' ')) expect(page).toContain(word)
      for (const option of Object.keys(command.options)) expect(page).toContain(`--${option}`)
    }
    for (const name of Object.keys(COMMON)) if (name !== 'help') expect(page).toContain(`--${name}`)
    for (const code of Object.values(EXIT)) expect(page).toContain(`\n| ${code} | `)
  })
})
