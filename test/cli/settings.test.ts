// Settings of Claude Code in the commands that decide and compare.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
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

test.each([
  ['decide', 'x/.claude/settings.json', '--bash', 'ls'],
  ['diff', 'x/.claude/settings.json', 'old/settings.json'],
  ['diff', 'old/settings.json', 'x/.claude/settings.json'],
  ['permissions', 'x/.claude/settings.json'],
])('%s names the place in settings that are not an object', async (...argv) => {
  const given = { ...files, 'x/.claude/settings.json': '[]' }
  const ran = await blazon(argv, { files: given })
  expect([ran.code, ran.stderr.split('\n')[0]]).toEqual([
    1,
    'x/.claude/settings.json:1:1 error CCS-101 Settings are not a JSON object',
  ])
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

test('convert names --project, if the folder changes the answer', async () => {
  const given = {
    'a.json': JSON.stringify({ permissions: { allow: ['Read(./src/**)'] } }),
    'b.json': JSON.stringify({ permissions: { allow: ['Read(//data/**)'] } }),
  }
  const note = /relative paths grant nothing.*--project FOLDER/
  const noted = async (...argv: string[]) =>
    note.test((await blazon(['convert', ...argv, '--from', 'claude-settings', '--to', 'adl'], { files: given })).stderr)
  expect([await noted('a.json'), await noted('a.json', '--project', '/w'), await noted('b.json')]).toEqual([
    true,
    false,
    false,
  ])
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

describe('blazon permissions', () => {
  const matrix = {
    ...files,
    'agent.adl.json': JSON.stringify({
      adl_spec: '0.1.0',
      permissions: { filesystem: { allowed_paths: [{ path: '/w/docs/**', access: 'read' }] } },
      tools: [{ name: 'pay', requires_confirmation: true }],
    }),
  }
  const show = (...argv: string[]) =>
    blazon(['permissions', ...argv, '--project', '/w'], { files: matrix, env: { HOME: '/home/me' } })

  test('writes one file with the rule of each row', async () => {
    const { code, stdout, stderr } = await show('.claude/settings.json')
    expect(stdout).toBe(`what      subject     answer   decided by
tool      *           asks
read      /**         asks
write     /**         asks
read      ./**        allowed
write     ./**        asks
read      ./.env      denied   /permissions/deny/0
write     ./.env      asks
host      *           asks
line      *           asks
line      git push *  asks     /permissions/ask/0
line      npm test    allowed  /permissions/allow/0
`)
    expect([code, stderr]).toEqual([0, 'by these files alone: other settings and hooks count as well\n11 rows\n'])
  })

  test('writes what the guide shows', async () => {
    const [, guide] = /^\$ blazon permissions old.*\n([^`]*)^```/m.exec(readFileSync('docs/guide/runners.md', 'utf8'))!
    const [allow, deny] = [['Bash(npm test)'], ['Read(.env)']]
    const wider = { allow: ['Bash(npm *)', 'WebFetch(domain:docs.example.com)'], deny, defaultMode: 'acceptEdits' }
    const given = {
      'old/settings.json': JSON.stringify({ permissions: { allow, deny } }),
      'new/settings.json': JSON.stringify({ permissions: wider }),
    }
    expect((await blazon(['permissions', ...Object.keys(given)], { files: given })).stdout).toBe(guide)
  })

  test('writes several files side by side', async () => {
    const { code, stdout, stderr } = await show('agent.adl.json', '.claude/settings.json')
    const lines = stdout.split('\n')
    for (const line of [
      '(2) .claude/settings.json',
      'what      subject     (1)          (2)',
      'tool      pay         asks 1.1     asks',
      'read      ./docs/**   allowed 1.3  allowed',
      'read      ./.env      denied 1.2   denied 2.1',
      'line      npm test    denied       allowed 2.3  differs',
      '1.1   /tools/0/requires_confirmation',
      '2.1   /permissions/deny/0',
    ])
      expect(lines).toContain(line)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/; the answers differ in \d+\n$/)])
  })

  test('fits 80 columns, for many files with long names and hostile text', async () => {
    const rules = [`Read(/${'long/'.repeat(30)})`, 'Bash(\u001b[2J *)', `mcp__${'x'.repeat(90)}`]
    const names = Array.from({ length: 5 }, (_, i) => `${i}/settings.json`)
    const text = JSON.stringify({ permissions: { allow: rules } })
    const { stdout } = await blazon(['permissions', ...names], {
      files: Object.fromEntries(names.map((name) => [name, text])),
    })
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(stdout).not.toContain('\u001b')
    // Two tables, for at most three files each.
    expect(stdout.match(/x/g)).toHaveLength(2 * 90)
  })

  test('the JSON has the request of each row, to ask again', async () => {
    const { stdout } = await show('.claude/settings.json', '--format', 'json')
    const { rows, leftOut } = JSON.parse(stdout).results[0].permissions
    expect([rows.length, leftOut]).toEqual([11, 0])
    expect(rows.at(-2)).toEqual({
      what: 'line',
      subject: 'git push *',
      request: { domain: 'execution', command: 'git push …', shell: true },
      outcome: 'ask',
      reason: 'Bash(git push *) matches',
      decidedBy: '/permissions/ask/0',
    })
  })

  test.each([
    [1, { '.claude/settings.json': '{' }],
    [1, { '.claude/settings.json': '[]' }],
    [3, {}],
  ])('exits %i for what it cannot read, and shows the rest', async (code, more) => {
    const given = { 'a.adl.json': files['a.adl.json'], ...more }
    const ran = await blazon(['permissions', 'a.adl.json', '.claude/settings.json'], { files: given })
    expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([code, 'what      subject  answer   decided by'])
  })

  test('a signed definition permits nothing unless its signature verifies', async () => {
    const security = { attestation: { signature: { algorithm: 'Ed25519', value: 'AA', signed_content: 'canonical' } } }
    const signed = { ...JSON.parse(matrix['agent.adl.json']), security }
    const { stdout } = await blazon(['permissions', 's.json'], { files: { 's.json': JSON.stringify(signed) } })
    expect(stdout).not.toMatch(/allowed|asks/)
    expect(stdout).toContain('/security/attestation/signature')
  })
})

test('converts a definition to the configuration of Codex and back', async () => {
  const permissions = { filesystem: { allowed_paths: [{ path: '/data/**', access: 'read' }] } }
  const given = { 'b.adl.json': JSON.stringify({ adl_spec: '0.1.0', permissions }) }
  const made = await blazon(['convert', 'b.adl.json', '--to', 'codex-config', '--strict'], { files: given })
  expect([made.code, made.stdout]).toEqual([
    1,
    expect.stringContaining('[permissions.adl.filesystem]\n"/data" = "read"\n'),
  ])
  const config = { '.codex/config.toml': made.stdout }
  expect((await blazon(['validate', '.'], { files: config })).stderr).toContain('1 configuration of Codex')
  const back = await blazon(['convert', '.codex/config.toml', '--to', 'adl'], { files: config })
  expect([back.code, JSON.parse(back.stdout).permissions]).toEqual([
    0,
    {
      filesystem: {
        allowed_paths: ['/data', '/data/**'].map((path) => ({ path, access: 'read' })),
        denied_paths: [],
      },
    },
  ])
})

describe('settings of sandboxes', () => {
  const mode = 'approval_policy = "on-request"\nsandbox_mode = '
  const sandbox = {
    network: { allowedDomains: ['*.example.com'], deniedDomains: [] },
    filesystem: { denyRead: ['~/.ssh'], allowWrite: ['.'], denyWrite: ['.env'] },
  }
  const given = {
    'w/.codex/config.toml': `${mode}"workspace-write"`,
    'old/config.toml': `${mode}"read-only"`,
    'new/config.toml': `${mode}"workspace-write"\nnotify = ["sh"]`,
    'srt-settings.json': JSON.stringify(sandbox),
    'wide.json': JSON.stringify({ ...sandbox, filesystem: { ...sandbox.filesystem, denyRead: [] } }),
  }
  const run = (...argv: string[]) => blazon(argv, { files: given, env: { HOME: '/home/me' } })

  test.each([
    [
      ['w/.codex/config.toml', '--bash', 'git push'],
      0,
      'allowed: commands run without a question, in the sandbox\n  decided by /sandbox_mode\n',
    ],
    [
      ['w/.codex/config.toml', 'filesystem', 'path=/etc/x', 'access=write'],
      1,
      "asks: '/' may only be read\n  decided by /sandbox_mode\n",
    ],
    [
      ['w/.codex/config.toml', 'filesystem', 'path=.git/x', 'access=write', '--project', '/w'],
      1,
      "asks: '/w/.git' may only be read\n  decided by /sandbox_mode\n",
    ],
    [
      ['w/.codex/config.toml', 'network', 'host=a.org'],
      1,
      "asks: no rule matches 'a.org', and approval_policy is 'on-request'\n  decided by /approval_policy\n",
    ],
    [
      ['srt-settings.json', 'filesystem', 'path=src/x', 'access=write'],
      0,
      "allowed: allowWrite has '.'\n  decided by /filesystem/allowWrite/0\n",
    ],
    [
      ['srt-settings.json', 'filesystem', 'path=/home/me/.ssh/id', 'access=read'],
      1,
      "denied: denyRead has '~/.ssh'\n  decided by /filesystem/denyRead/0\n",
    ],
    [['srt-settings.json', '--bash', 'ls'], 1, 'denied: sandbox-runtime does not limit commands\n'],
  ] as const)('decides %j', async (words, code, text) => {
    const ran = await run('decide', ...words)
    expect([ran.code, ran.stdout]).toEqual([code, text])
  })

  test('an invalid request is a usage error', async () => {
    expect((await run('decide', 'srt-settings.json', 'filesystem', 'path=x', 'access=all')).code).toBe(2)
  })

  test.each([
    ['old/config.toml', 'new/config.toml', 1, 'new/config.toml:2:16: widened, write: ./**: asks before, allowed now'],
    [
      'old/config.toml',
      'new/config.toml',
      1,
      "new/config.toml:3:10: widened, member: 'notify' differs: it decides what runs",
    ],
    [
      'new/config.toml',
      'old/config.toml',
      1,
      "new/config.toml:3:10: widened, member: 'notify' differs: it decides what runs",
    ],
    ['new/config.toml', 'new/config.toml', 0, ''],
    ['srt-settings.json', 'wide.json', 1, 'wide.json:1:81: widened, read: ./.ssh/**: denied before, allowed now'],
    [
      'wide.json',
      'srt-settings.json',
      0,
      'srt-settings.json:1:94: narrowed, read: ./.ssh/**: allowed before, denied now',
    ],
  ] as const)('compares %s with %s', async (old, now, code, line) => {
    const ran = await run('diff', old, now)
    expect([ran.code, ran.stdout.split('\n')]).toEqual([code, expect.arrayContaining([line])])
  })

  test('different runners are not compared', async () => {
    expect((await run('diff', 'old/config.toml', 'wide.json')).code).toBe(2)
  })

  test('shows all runners side by side', async () => {
    const { code, stdout } = await run('permissions', 'new/config.toml', 'wide.json', '--project', '/w')
    expect(code).toBe(0)
    for (const line of [
      'write     ./**                 allowed 1.2  allowed 2.2',
      'write     ./.git/**            asks 1.2     allowed 2.2  differs',
      'host      *.example.com        asks 1.1     allowed 2.4  differs',
      'line      *                    allowed 1.2  denied       differs',
    ])
      expect(stdout.replaceAll(/ +/g, ' ')).toContain(line.replaceAll(/ +/g, ' '))
  })
})
