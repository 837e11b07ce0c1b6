// The workflow that would publish: whoever changes it keeps what it promises (SECURITY.md, "A release").
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Job {
  readonly permissions: Readonly<Record<string, string>>
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
}
const workflow = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
  permissions: object
  jobs: Readonly<Record<'pack' | 'publish', Job>>
}
const { pack, publish } = workflow.jobs

test('every action is one that cannot change: named by its commit', () => {
  const used = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
  expect(used.length).toBeGreaterThan(0)
  for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/)
})

test('only the job that runs nothing of this project can publish', () => {
  expect(workflow.permissions).toEqual({})
  expect(pack.permissions).toEqual({ contents: 'read' })
  expect(publish.permissions).toEqual({ 'id-token': 'write' })
  const commands = publish.steps.flatMap(({ run }) => run ?? [])
  expect(commands.at(-1)).toMatch(/^npm publish --provenance .*--ignore-scripts/)
  expect(commands.filter((command) => /npm (?:ci|install|run|test|start|exec)|npx/.test(command))).toEqual([])
})

test('nothing that was packed in another way can be published', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).private).toBe(true)
  const commands = pack.steps.flatMap(({ run }) => run ?? [])
  expect(commands.filter((command) => /npm (?:run release|pack|publish)/.test(command))).toEqual(['npm run release'])
})

test('the package asks for provenance by itself, too', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).publishConfig).toEqual({ access: 'public', provenance: true })
})

test('what others wrote goes out with its licences: in the package, beside the page, within its copy in one file', () => {
  const notices = readFileSync('THIRD-PARTY.md', 'utf8')
  for (const name of ['@noble/ed25519', '@noble/curves', 'yaml', '@codemirror/view', '@lezer/common', 'style-mod'])
    expect(notices).toContain(`\n## ${name} `)
  expect(readFileSync('dist/site/app/blazon.html', 'utf8')).toMatch(/Copyright \(c\) .*Paul Miller/)
})
