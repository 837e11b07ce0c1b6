import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeFile } from '../../cli/file-system.ts'
import { processHost } from '../../cli/host.ts'
import { save, saveOver } from '../../cli/save.ts'

const folder = mkdtempSync(join(tmpdir(), 'blazon-write-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bytes = (text: string) => new TextEncoder().encode(text)

test('replaces a file as a whole, and keeps its permissions', async () => {
  const path = join(folder, 'a')
  writeFileSync(path, 'old', { mode: 0o640 })
  await writeFile(path, bytes('new'))
  expect(readFileSync(path, 'utf8')).toBe('new')
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o640)
})

test('never writes through a link: the link and its target stay', async () => {
  const [file, link] = [join(folder, 'a'), join(folder, 'link')]
  for (const target of ['a', 'none', '.']) {
    symlinkSync(target, link)
    await expect(writeFile(link, bytes('through'))).rejects.toMatchObject({ code: 'ELINK' })
    await expect(writeFile(link, bytes('through'), { create: true })).rejects.toThrow()
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    rmSync(link)
  }
})

test('makes a file for its owner alone, and never overwrites one', async () => {
  const path = join(folder, 'key')
  await writeFile(path, bytes('secret'), { create: true, mode: 0o600 })
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  await expect(writeFile(path, bytes('other'), { create: true })).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(path, 'utf8')).toBe('secret')
})

test('leaves no temporary file, even on failure', async () => {
  await expect(writeFile(join(folder, 'none', 'x'), bytes('x'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(readdirSync(folder).sort()).toEqual(['a', 'key'])
})

describe('explains errors of the system in words', () => {
  const host = processHost(new URL('file:///none'))
  const link = join(folder, 'link')
  test.each([
    [join(folder, 'none', 'x'), 'the folder does not exist', 'create the folder first'],
    [join(folder, 'a', 'x'), 'a part of the path is not a directory', 'name another file'],
    [folder, 'it is a directory', 'name another file'],
    [join(folder, 'x'.repeat(300)), 'its name is too long', 'name another file'],
    [link, 'it is a link; name its target', 'name another file'],
  ])('%s', async (path, words, hint) => {
    symlinkSync('a', link)
    try {
      await expect(save(host, path, 'x')).rejects.toMatchObject({
        message: `${path} cannot be written: ${words}`,
        hint,
      })
      expect(await saveOver(host, path, bytes('x'))).toBe(`cannot write ${path}: ${words}`)
    } finally {
      rmSync(link)
    }
  })
})
