import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { ENTRIES } from '../../scripts/entries.mjs'
import { filesOf, hashOf, replaceFolder, SOURCES } from '../../scripts/files.mjs'

const root = mkdtempSync(join(tmpdir(), 'blazon-build-'))
const PROJECT = process.cwd()
afterAll(() => rmSync(root, { recursive: true }))

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(root, 'folder-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

function hashIn(files: Readonly<Record<string, string>>): string {
  process.chdir(folder(files))
  const hash = hashOf(['.'])
  process.chdir(PROJECT)
  return hash
}

test('a build replaces what changed, and leaves alone what did not', () => {
  const there = folder({ same: '1', changed: '1', 'old/gone': '1' })
  const coming = folder({ same: '1', changed: '2', 'new/file': '3' })
  const { ino } = statSync(join(there, 'same'))
  replaceFolder(there, coming)
  expect(filesOf(there).map((path) => [path.slice(there.length + 1), readFileSync(path, 'utf8')])).toEqual([
    ['changed', '2'],
    ['new/file', '3'],
    ['same', '1'],
  ])
  expect(statSync(join(there, 'same')).ino).toBe(ino)
  expect(readdirSync(root)).not.toContain(coming)
  replaceFolder(there, folder({ same: '1' }), /^new\//)
  expect(filesOf(there).map((path) => path.slice(there.length + 1))).toEqual(['new/file', 'same'])
})

test('every change of a source is seen: of a text, a name, a file more; and nothing that a server leaves', () => {
  expect(hashIn({ a: 'x', '.wrangler/tmp/b': 'y' })).toBe(hashIn({ a: 'x' }))
  const hashes = [{ a: 'x' }, { a: 'y' }, { b: 'x' }, { a: 'x', b: '' }, { 'a/a': 'x' }].map((files) =>
    hashIn(files as Record<string, string>),
  )
  expect(new Set(hashes).size).toBe(5)
})

test('all that is bundled is among the sources of which a change is seen', async () => {
  const { metafile } = await build({
    entryPoints: [...Object.values(ENTRIES), 'cli/blazon.ts', 'browser-demo/app.ts', 'browser-demo/engine.ts'],
    outdir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    external: ['#wasm', 'node:*'],
    write: false,
    metafile: true,
  })
  const known = [...SOURCES, 'node_modules']
  const paths = Object.keys(metafile.inputs)
  expect(paths.length).toBeGreaterThan(500)
  expect(paths.filter((path) => !known.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual([])
})
