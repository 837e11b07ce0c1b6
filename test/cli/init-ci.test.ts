// The workflow that `init --ci` writes.
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { blazon } from './terminal.ts'

const FILE = '.github/workflows/blazon.yml'
const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

test('writes a workflow that uses the action, with rights to read only', async () => {
  const { code, saved, stderr } = await blazon(['init', '--ci', '--action', `acme/blazon@${COMMIT}`])
  expect([code, stderr]).toEqual([0, `wrote ${FILE}\n`])
  const { permissions, jobs, on } = parse(text(saved.get(FILE)))
  expect([permissions, Object.keys(on)]).toEqual([{ contents: 'read' }, ['push', 'pull_request']])
  const uses = jobs.validate.steps.map((step: { uses: string }) => step.uses)
  expect(uses.at(-1)).toBe(`acme/blazon@${COMMIT}`)
  for (const one of uses.slice(0, -1)) expect(one).toMatch(/^actions\/[a-z-]+@[\da-f]{40}$/)
})

test('names what to replace where nobody said which Blazon', async () => {
  const { stdout, stderr, saved } = await blazon(['init', '--ci', '--dry-run'])
  expect([stdout.includes('uses: OWNER/blazon@COMMIT'), saved.size]).toEqual([true, 0])
  expect(stderr).toContain('replace OWNER/blazon@COMMIT by the repository and the commit')
})

test('warns of a branch, which can move', async () => {
  const { code, stderr } = await blazon(['init', '--ci', '--action', 'acme/blazon@main'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('acme/blazon@main does not end with a full commit')])
})

test.each([
  [['init', '--ci'], 'it is never overwritten'],
  [['init', '--ci', 'x.txt'], 'expected a file that ends in .yml'],
  [['init', '--ci', '--action', 'x/y@z\n  - run: evil'], '--action: expected OWNER/NAME@COMMIT'],
  [['init', '--action', 'x/y@z'], '--action is for workflows'],
])('%j is refused, and nothing is written', async (argv, why) => {
  const { code, stderr, saved } = await blazon(argv, { files: { [FILE]: 'mine' } })
  expect([code, saved.size]).toEqual([2, 0])
  expect(stderr).toContain(why)
})

test('SARIF tells why each rule exists, and where the sources are if the action says it', async () => {
  const files = { 'a.adl.json': '{"adl_spec": "0.1.0"}' }
  const driver = async (home?: string) => {
    const env = home === undefined ? {} : { BLAZON_HOME: home }
    const { stdout } = await blazon(['validate', '.', '--format', 'sarif'], { files, env })
    return JSON.parse(stdout).runs[0].tool.driver
  }
  const home = 'https://github.example/acme/blazon'
  const { informationUri, rules } = await driver(home)
  expect(informationUri).toBe(home)
  expect(rules[0].helpUri).toBe(`${home}/search?type=code&q=ADL-1003`)
  expect(rules[0].fullDescription.text.length).toBeGreaterThan(20)
  for (const other of [undefined, 'https://github.example//', 'javascript:alert(1)', 'x/y'])
    expect(Object.keys(await driver(other))).toEqual(['name', 'version', 'rules'])
})
