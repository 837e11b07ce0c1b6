// .gitignore as git reads it: compared with `git check-ignore`, which is asked once for all files of rules.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isIgnored, parseIgnore, rawName } from '../../cli/walk/ignore.ts'
import { findProgram } from '../../scripts/setup.mjs'

const PATHS = [
  'a',
  'b',
  'a.json',
  'ab.json',
  'A.json',
  'a/b',
  'a/b/a.json',
  'b/a/b/b.json',
  'x y',
  'a/-',
  'a/]',
  'a/*',
  '#a',
  '!a',
  'é',
  'a/é/b',
  'a ',
  'b/b',
  'a/b/a/b',
]
/** Every folder of a path is asked for as well, so an answer never depends on an ignored folder above. */
const ASKED = [...new Set(PATHS.flatMap((path) => path.split('/').map((_, i, all) => all.slice(0, i + 1).join('/'))))]
const FOLDERS = ASKED.filter((path) => PATHS.some((other) => other.startsWith(`${path}/`)))

const WRITTEN = [
  'a\n!a.json\n',
  '*.json\n!a.json\n',
  '/a\n',
  'a/\n',
  'a/b\n',
  '**/b\n',
  'a/**\n',
  'a/**/b\n',
  '**\n!b\n',
  '/**/a.json\n',
  '***/b\n',
  'a/***\n',
  '[ab].json\n',
  '[!a]*\n',
  '[^a]\n',
  'a/[]-]\n',
  'a/[!]]\n',
  '[a-\n',
  '[[:upper:]]*\n',
  '[[:nothing:]]a\n',
  '[[:alpha:]b.json\n',
  '\\#a\n#a\n',
  '\\!a\n',
  'a/\\*\n',
  'a\\\n',
  'a/\\b\n',
  'x y   \n',
  'a\\ \n',
  'a \n',
  '?\n',
  '??\n',
  'é\n',
  '\uFEFFa\n',
  'a.json\r\nb\r\n',
  '/\n//\n!\n\n \n',
  'a//\n',
  '/a/\n!/a/b\n',
  '*\n!*/\n!*.json\n',
  'a*b*.json\n',
  '*/b\n',
  'a\\/b\n',
]

test.runIf(findProgram('git'))('rules match what git says they match', () => {
  const line = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        '.json',
        '*',
        '**',
        '/',
        '?',
        '[ab]',
        '[!a]',
        '[a-',
        '\\',
        ' ',
        '!',
        'é',
        '[[:alpha:]]',
      ),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(''))
    // Against its manual, git takes two stars after a literal beginning for any folders: it cuts the beginning off first.
    .filter((text) => !/[^/!*]\*\*/.test(text))
  const random = fc.sample(fc.array(line, { minLength: 1, maxLength: 3 }), { numRuns: 40, seed: 46 })
  const files = [...WRITTEN, ...random.map((lines) => `${lines.join('\n')}\n`)]
  const root = mkdtempSync(join(tmpdir(), 'blazon-ignore-'))
  try {
    spawnSync('git', ['init', '-q', root])
    for (const [i, text] of files.entries()) {
      for (const path of FOLDERS) mkdirSync(join(root, `${i}`, path), { recursive: true })
      writeFileSync(join(root, `${i}`, '.gitignore'), text)
    }
    const asked = files.flatMap((_, i) => ASKED.map((path) => `${i}/${path}`))
    const options = ['check-ignore', '--no-index', '--stdin', '-z', '-v', '-n']
    const { stdout } = spawnSync('git', ['-C', root, ...options], { input: asked.join('\0'), maxBuffer: 1 << 26 })
    const cells = stdout.toString().split('\0')
    const answers = new Map(asked.map((path, i) => [path, cells.slice(i * 4, i * 4 + 3)] as const))
    const wrong = asked.filter((path) => {
      const [i, ...names] = path.split('/')
      // What git says about a folder also decides what is below it, so the walk never asks for that.
      const above = names.slice(0, -1).map((_, n) => `${i}/${names.slice(0, n + 1).join('/')}`)
      if (above.some((folder) => isOut(answers.get(folder)!))) return false
      const rules = parseIgnore(Buffer.from(files[Number(i)]!))
      return (
        (isIgnored(rules, names.map(rawName), 0, FOLDERS.includes(names.join('/'))) ?? false) !==
        isOut(answers.get(path)!)
      )
    })
    expect(wrong.map((path) => [path, files[Number.parseInt(path, 10)]])).toEqual([])
    expect(asked.filter((path) => isOut(answers.get(path)!)).length).toBeGreaterThan(400)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

/** A pattern matched, and is not negated. */
const isOut = ([source, , pattern]: readonly string[]) => source !== '' && !pattern!.startsWith('!')

test('a hostile pattern is matched in the time of its length', () => {
  const rules = parseIgnore(Buffer.from(`${'a*'.repeat(2000)}b\n${'**/a/'.repeat(800)}b\n`))
  expect(isIgnored(rules, ['a'.repeat(255)], 0, false)).toBeUndefined()
  expect(
    isIgnored(
      rules,
      Array.from({ length: 2000 }, () => 'a'),
      0,
      false,
    ),
  ).toBeUndefined()
  expect(parseIgnore(Buffer.from('a\n'.repeat(100_000))).length).toBeLessThan(10_000)
})
