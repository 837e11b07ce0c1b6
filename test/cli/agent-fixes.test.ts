// `blazon validate FOLDER --fix` and `--watch` for all files of an agent.
import { describe, expect, test } from 'vitest'
import { validate } from './validating.ts'

const PROMPT = 'version: 2\nrole: system\nsections:\n  - { name: who, content: You are kind. }\n'
const SKILL = '---\nname: plan\ndescription: Plans a week.\n---\nPlan.\n'
const FILES = {
  'coach/agent.yaml': 'name: coach\nversion: 1.0.0\ndescription: Trains.\ntools:\n  - name: delegate\n',
  'coach/prompt.yaml': PROMPT,
  'coach/specialists/helper.yaml': 'name: helper\ndescription: Counts.\n',
  'coach/skills/plan/SKILL.md': SKILL,
  'coach/ux.yaml': 'suggestions: [Plan my week]\n',
}
/** Each file with one misspelled key. */
const MISSPELLED: Readonly<Record<string, string>> = {
  'coach/agent.yaml': FILES['coach/agent.yaml'].replace('description', 'descripton'),
  'coach/prompt.yaml': PROMPT.replace('role', 'rol'),
  'coach/specialists/helper.yaml': 'name: helper\ndescripton: Counts.\n',
  'coach/skills/plan/SKILL.md': SKILL.replace('description', 'descripton'),
  'coach/ux.yaml': 'suggestons: [Plan my week]\n',
}
const saidBy = (saved: ReadonlyMap<string, Uint8Array>) =>
  Object.fromEntries([...saved].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]))

describe('validate --fix of a folder', () => {
  test('is nothing to do for a valid one', async () => {
    const { code, saved, stderr } = await validate(['coach', '--fix'], FILES)
    expect([code, saved.size, stderr.includes('nothing to fix')], stderr).toEqual([0, 0, true])
  })

  test('fixes every file, each by its own findings [agentlang/around-4]', async () => {
    const { code, saved, stderr } = await validate(['coach', '--fix'], MISSPELLED)
    expect(saidBy(saved)).toEqual(FILES)
    expect(code).toBe(0)
    for (const file of Object.keys(FILES)) expect(stderr).toContain(`${file}: 1 fix written`)
  })

  // The first example of the specification has `tools` twice, and the second list has all of the first.
  const [SHORT, LONG] = [
    'tools:\n  - name: a\n    version: ^1.0.0\n',
    'tools:\n  - name: a\n    version: ^1.0.0\n  - name: b\n',
  ]
  const HEAD = 'name: coach\nversion: 1.0.0\n'
  test.each([
    [`${HEAD}${SHORT}# all\n${LONG}title: é\n`, `${HEAD}# all\n${LONG}title: é\n`],
    [`${HEAD}title: é\n${LONG}${SHORT}`, `${HEAD}title: é\n${LONG}`],
    [`${HEAD}${SHORT}${SHORT}`, `${HEAD}${SHORT}`],
    [`${HEAD}tools: [{name: a}]\ntools: [{name: a}, {name: b}]\n`, `${HEAD}tools: [{name: a}, {name: b}]\n`],
  ])('removes the list of tools that the other one holds, of %j', async (before, after) => {
    const { saved } = await validate(['coach', '--fix'], { ...FILES, 'coach/agent.yaml': before })
    expect(saidBy(saved)['coach/agent.yaml']).toBe(after)
  })
  test.each([
    `${HEAD}${LONG}tools:\n  - name: c\n`,
    `${HEAD}${SHORT.replace('name: a', 'name: &a a')}${LONG}`,
    `${HEAD}tools: {}\n${LONG}`,
    `${HEAD}tools: a\ntools:\n`,
    `${HEAD}x-a: {tools: [], tools: []}\n`,
  ])('keeps both lists of %j', async (before) => {
    const { code, saved } = await validate(['coach', '--fix'], { ...FILES, 'coach/agent.yaml': before })
    expect([code, saved.get('coach/agent.yaml')]).toEqual([1, undefined])
  })

  test.each(Object.keys(FILES))('fixes %s alone, and writes no other file', async (file) => {
    const { saved } = await validate(['coach', '--fix'], { ...FILES, [file]: MISSPELLED[file]! })
    expect(saidBy(saved)).toEqual({ [file]: FILES[file as keyof typeof FILES] })
  })

  test('--fix-dry-run shows a diff of every file, and writes none', async () => {
    const { saved, stdout, code } = await validate(['coach', '--fix-dry-run'], MISSPELLED)
    expect([code, saved.size]).toEqual([0, 0])
    expect(stdout.match(/^\+\+\+ .*/gm)?.sort()).toEqual(
      Object.keys(FILES)
        .map((file) => `+++ ${file}`)
        .sort(),
    )
  })

  test('counts the fixes of all files in one result', async () => {
    const { stdout } = await validate(['coach', '--fix', '--format', 'json'], MISSPELLED)
    expect(JSON.parse(stdout).results).toMatchObject([{ file: 'coach/agent.yaml', valid: true, fixes: 5 }])
  })

  test('leaves a file that cannot be read as it is, and fixes the others', async () => {
    const files = { ...MISSPELLED, 'coach/prompt.yaml': 'sections: [\n' }
    const { code, saved, stderr } = await validate(['coach', '--fix'], files)
    expect([...saved.keys()].sort()).toEqual(
      Object.keys(FILES)
        .filter((file) => !file.endsWith('prompt.yaml'))
        .sort(),
    )
    expect([code, stderr.includes('coach/prompt.yaml:2:1')], stderr).toEqual([1, true])
  })

  test('repairs nothing in a lockfile: it would no longer be what was locked', async () => {
    const { saved } = await validate(['coach', '--fix'], { ...FILES, 'coach/agent.lock': 'verson: "1"\n' })
    expect(saved.size).toBe(0)
  })
})

test.each(Object.keys(FILES))('validate --watch of a folder checks again when %s changes', async (file) => {
  let round = 0
  const changes = (files: Record<string, string>) => {
    if (round++ === 0) files[file] = '{\n'
    return round < 2 ? Promise.resolve() : undefined
  }
  const { code, stderr } = await validate(['coach', '--watch'], { ...FILES }, { changes })
  expect([code, stderr.includes('coach/agent.yaml is valid'), stderr.includes(`${file}:`)], stderr).toEqual([
    1,
    true,
    true,
  ])
})
