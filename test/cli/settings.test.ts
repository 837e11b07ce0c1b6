// Settings of Claude Code in the commands that decide and compare.
import { expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const RULES = { permissions: { allow: ['Bash(npm test)'], ask: ['Bash(git push *)'], deny: ['Read(/.env)'] } }
const files = {
  '.claude/settings.json': JSON.stringify(RULES),
  'old/settings.json': JSON.stringify(RULES),
  'new/settings.json': JSON.stringify({
    permissions: { ...RULES.permissions, ask: [], allow: ['Bash(git *)', '\u001b[2J'] },
  }),
  'a.adl.json': JSON.stringify({ permissions: { execution: { allowed_commands: ['*'], allow_shell: true } } }),
}
const run = (...argv: string[]) => blazon(argv, { files, env: { HOME: '/home/me' } })

test.each([
  [['--bash', 'npm test'], 0, 'allowed: Bash(npm test) matches\n  decided by /permissions/allow/0\n'],
  [['--bash', 'npm test && git push'], 1, 'asks: Bash(git push *) matches\n  decided by /permissions/ask/0\n'],
  [['filesystem', 'path=.env', 'access=read'], 1, 'denied: Read(/.env) matches\n  decided by /permissions/deny/0\n'],
  [
    ['filesystem', 'path=.env', 'access=read', '--project', '/x'],
    1,
    'denied: Read(/.env) matches\n  decided by /permissions/deny/0\n',
  ],
  [
    ['filesystem', 'path=/home/me/.env', 'access=read', '--project', '/x'],
    1,
    "asks: no rule matches reading '/home/me/.env', and the mode is default\n",
  ],
] as const)('decides %j by settings', async (words, code, text) => {
  const ran = await run('decide', '.claude/settings.json', ...words)
  expect([ran.code, ran.stdout]).toEqual([code, text])
})

test('a line for a shell is also a request to a definition', async () => {
  const ran = await run('decide', 'a.adl.json', '--bash', 'git push')
  expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('allowed')])
  expect((await run('decide', 'a.adl.json', 'tool', 'name=x', '--bash', 'git push')).code).toBe(2)
})

test('lists what new settings allow, and exits 1', async () => {
  const { code, stdout, stderr } = await run('diff', 'old/settings.json', 'new/settings.json')
  expect(stdout.split('\n').map((line) => line.replace(/^\S+: /, ''))).toEqual([
    "widened, allow: allows 'Bash(git *)'",
    "widened, allow: allows '␛[2J'",
    "narrowed, allow: no longer allows 'Bash(npm test)'",
    "widened, ask: no longer asks for 'Bash(git push *)'",
    '',
  ])
  expect([code, stderr]).toEqual([1, expect.stringContaining('4 changes, 3 of them wider')])
  expect((await run('diff', 'old/settings.json', '.claude/settings.json')).code).toBe(0)
})

test('writes both as JSON', async () => {
  const decided = JSON.parse(
    (await run('decide', '.claude/settings.json', '--bash', 'git push', '--format', 'json')).stdout,
  )
  expect(decided.results[0].decision).toMatchObject({ allowed: false, outcome: 'ask', decidedBy: '/permissions/ask/0' })
  const compared = JSON.parse((await run('diff', 'old/settings.json', 'new/settings.json', '--format', 'json')).stdout)
  expect(compared.results[1].settingsChanges[0]).toMatchObject({ kind: 'widened', source: { line: 1 } })
})

test('converts a definition to settings of Claude Code and back', async () => {
  const definition = {
    adl_spec: '0.1.0',
    permissions: { filesystem: { allowed_paths: [{ path: '/data/**', access: 'read' }] } },
  }
  const given = { 'b.adl.json': JSON.stringify(definition) }
  const made = await blazon(['convert', 'b.adl.json', '--to', 'claude-settings', '--strict'], { files: given })
  expect([made.code, JSON.parse(made.stdout).permissions.allow]).toEqual([1, ['Read(//data/**)']])
  expect(made.stderr).toContain('dropped  /adl_spec: the configuration only says what may run')
  const back = await blazon(['convert', '-', '--to', 'adl', '--project', '/srv/project'], { stdin: made.stdout })
  expect([back.code, JSON.parse(back.stdout).permissions.filesystem]).toEqual([
    0,
    { allowed_paths: [{ path: '/data/**', access: 'read' }], denied_paths: ['/srv/project/**'] },
  ])
  const box = await blazon(['convert', 'b.adl.json', '--to', 'sandbox-runtime', '--out', 'srt.json'], { files: given })
  expect([box.code, new TextDecoder().decode(box.saved.get('srt.json'))]).toEqual([
    0,
    expect.stringContaining('"/data"'),
  ])
})
