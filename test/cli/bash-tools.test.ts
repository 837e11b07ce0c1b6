// Commands of agents in the real sandbox of bubblewrap.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { callTool } from '../../bindings/agentlang/run/tools.ts'
import { bashTool, canIsolate } from '../../bindings/node/mcp-process.ts'
import { hasPrograms } from '../support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'bash-tools-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const hasBubblewrap = hasPrograms('commands in a sandbox', ['bubblewrap'])
const isIsolated = await canIsolate()
if (hasBubblewrap && !isIsolated) console.error('NOT RUN: commands in a sandbox: bwrap does not start here')
let worlds = 0
const own = join(folder, 'own')
mkdirSync(own)
writeFileSync(join(own, 'rates.csv'), 'a,1')

interface Setting {
  readonly quota?: number
  readonly isUnenforced?: boolean
  readonly allowed?: readonly (readonly string[])[]
  readonly prepare?: (work: string) => void
  readonly seconds?: number
}

async function call(command: string, args: readonly string[], setting: Setting = {}) {
  const work = join(folder, String(++worlds))
  mkdirSync(work)
  setting.prepare?.(work)
  const tool = bashTool(
    'it',
    { command },
    {
      ...{ work, own, hasNetwork: false },
      isUnenforced: setting.isUnenforced ?? false,
    },
  )
  const { signal } = new AbortController()
  const limits = {
    ...(setting.seconds !== undefined && { max_exec_time: setting.seconds }),
    ...(setting.quota !== undefined && { disk_quota: setting.quota }),
  }
  const context = { agent_id: 'a', signal, allowedUrls: [], allowedPaths: setting.allowed ?? [], limits }
  return { work, outcome: await callTool(tool, { args }, context) }
}

describe('canIsolate', () => {
  const { PATH } = process.env
  afterEach(() => {
    process.env['PATH'] = PATH
  })

  test.each([
    ['a sandbox that does not start', '#!/bin/sh\nexit 1\n', false],
    ['a sandbox that was killed', '#!/bin/sh\nkill -9 $$\n', false],
    ['a program that cannot be started', '', false],
    ['no program', undefined, false],
    ['one that starts', '#!/bin/sh\nexit 0\n', true],
  ])('of %s', async (_, program, expected) => {
    const place = mkdtempSync(join(folder, 'bin-'))
    if (program !== undefined) writeFileSync(join(place, 'bwrap'), program, { mode: program === '' ? 0o600 : 0o700 })
    process.env['PATH'] = place
    vi.resetModules()
    const { canIsolate } = await import('../../bindings/node/mcp-process.ts')
    expect(await canIsolate()).toBe(expected)
  })
})

describe.skipIf(!isIsolated)('a command of an agent', () => {
  test('gets its arguments as they are, without a shell', async () => {
    const args = ['a b', '$HOME', '; touch x', '`id`', '*']
    const { outcome } = await call('printf %s|', args)
    expect(outcome).toMatchObject({ kind: 'execution_error' })
    expect((await call('printf', ['[%s]', ...args])).outcome).toEqual({
      kind: 'ok',
      value: args.map((one) => `[${one}]`).join(''),
    })
  })

  test('sees neither variables nor the home, the network and other processes', async () => {
    expect((await call('env', [])).outcome).toMatchObject({ value: expect.not.stringContaining('npm') })
    expect((await call('ls /', [])).outcome).toMatchObject({ value: expect.not.stringMatching(/home|root/) })
    const names = await call('python3', ['-c', 'import socket; print([name for _, name in socket.if_nameindex()])'])
    expect(names.outcome).toEqual({ kind: 'ok', value: "['lo']\n" })
  })

  test('sees no path of this machine: there is no /proc, which names the folders that are bound', async () => {
    const script =
      'cat /proc/self/mountinfo /proc/1/cmdline /proc/mounts /etc/mtab; env; ls -laR /proc /dev /agent /work'
    const { work, outcome } = await call('python3', ['-c', `import os; os.system("(${script}) 2>&1")`])
    expect(outcome).toMatchObject({ kind: 'ok', value: expect.stringContaining('PATH=') })
    for (const path of [work, own, folder, process.cwd(), tmpdir()])
      expect(String((outcome as { value: unknown }).value).split(/\s/)).not.toContain(path)
    expect((outcome as { value: string }).value).not.toContain(folder)
    expect((await call('ls', ['/proc'])).outcome).toMatchObject({ message: expect.stringContaining('No such file') })
  })

  test('reads the files of its agent, and cannot change them', async () => {
    expect((await call('cat', ['/agent/rates.csv'])).outcome).toEqual({ kind: 'ok', value: 'a,1' })
    for (const args of [['/agent/rates.csv'], ['/agent/new']])
      expect((await call('touch', args)).outcome).toMatchObject({ message: expect.stringContaining('Read-only') })
  })

  test('writes into the folder of the run, and with a quota into none', async () => {
    const { work } = await call('touch', ['made'])
    expect(existsSync(join(work, 'made'))).toBe(true)
    const limited = await call('touch', ['made'], { quota: 1 << 20 })
    expect([limited.outcome.kind, existsSync(join(limited.work, 'made'))]).toEqual(['ok', false])
    const large = await call('dd', ['if=/dev/zero', 'of=x', 'bs=1M', 'count=2'], { quota: 1 << 20 })
    expect(large.outcome).toMatchObject({ kind: 'execution_error', message: expect.stringContaining('No space left') })
  })

  test('is not started with a quota that its allowed paths could exceed, unless that is accepted', async () => {
    const setting = { allowed: [['data']], quota: 1 << 20 }
    const { outcome } = await call('touch', ['data/made'], setting)
    expect(outcome).toMatchObject({ kind: 'execution_error', message: expect.stringContaining('disk_quota') })
    const { work } = await call('touch', ['data/made'], { ...setting, isUnenforced: true })
    expect(existsSync(join(work, 'data/made'))).toBe(true)
  })

  test('has the paths that every list allows, and no others', async () => {
    const allowed = [['data', 'other'], ['data/in']]
    const { work } = await call('touch', ['data/in/made', 'data/lost', 'other-lost'], { allowed })
    expect(existsSync(join(work, 'data/in/made'))).toBe(true)
    expect([existsSync(join(work, 'data/lost')), existsSync(join(work, 'other-lost'))]).toEqual([false, false])
  })

  test.each([
    ['outside the folder of the run', '../secret', () => undefined],
    ['is or has a link', 'in', (work: string) => symlinkSync('/etc', join(work, 'in'))],
    ['is or has a link', 'in/new', (work: string) => symlinkSync(folder, join(work, 'in'))],
  ])('is not started when a path %s: %s', async (reason, path, prepare) => {
    const { outcome } = await call('ls', [path], { allowed: [[path]], prepare })
    expect(outcome).toMatchObject({ kind: 'execution_error', message: expect.stringContaining(reason) })
  })

  test('commands with other paths wait for each other, so that none makes a link of a checked path', async () => {
    const work = join(folder, 'shared')
    mkdirSync(join(work, 'data'), { recursive: true })
    const context = { agent_id: 'a', signal: new AbortController().signal, allowedUrls: [], limits: {} }
    const script = [
      'import os, time',
      'for i in range(3000):',
      '    os.rename("data", "aside"); os.symlink("/home", "data"); os.remove("data"); os.rename("aside", "data")',
      'os.rename("data", "aside"); os.symlink("/home", "data")',
    ].join('\n')
    const tool = (command: string) => bashTool('it', { command }, { work, isUnenforced: false, hasNetwork: false, own })
    const swapping = callTool(tool('python3'), { args: ['-c', script] }, { ...context, allowedPaths: [] })
    const others = Array.from({ length: 5 }, () =>
      callTool(tool('ls'), { args: ['data'] }, { ...context, allowedPaths: [['data']] }),
    )
    expect(await swapping).toMatchObject({ kind: 'ok' })
    for (const outcome of await Promise.all(others))
      expect(outcome).toEqual({ kind: 'execution_error', message: expect.stringContaining('is or has a link') })
  })

  test('a command that waits for its turn keeps all of its max_exec_time', async () => {
    const work = join(folder, 'waiting')
    mkdirSync(join(work, 'data'), { recursive: true })
    const context = { agent_id: 'a', signal: new AbortController().signal, allowedUrls: [] }
    const tool = (command: string) => bashTool('it', { command }, { work, isUnenforced: false, hasNetwork: false, own })
    const first = callTool(tool('sleep'), { args: ['3'] }, { ...context, allowedPaths: [], limits: {} })
    const limits = { max_exec_time: 2.5 }
    const second = callTool(tool('echo'), { args: ['hi'] }, { ...context, allowedPaths: [['data']], limits })
    expect([await first, await second]).toEqual([
      { kind: 'ok', value: '' },
      { kind: 'ok', value: 'hi\n' },
    ])
  })

  test('a file may be allowed alone', async () => {
    const prepare = (work: string) => writeFileSync(join(work, 'notes'), 'old')
    const { work } = await call('cp', ['/etc/alternatives/README', 'notes'], { allowed: [['notes']], prepare })
    expect(readFileSync(join(work, 'notes'), 'utf8')).not.toBe('old')
  })

  test('ends at max_exec_time, with too much output, and with its exit code', async () => {
    expect((await call('sleep', ['60'], { seconds: 1 })).outcome).toMatchObject({ message: 'no result within 1 s' })
    expect((await call('yes', [])).outcome).toMatchObject({ message: expect.stringContaining('larger than') })
    const { outcome } = await call('ls', ['/none'])
    expect(outcome).toMatchObject({ message: expect.stringMatching(/^exit code 2: .*No such file/) })
  })
})
