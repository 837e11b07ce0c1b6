// Calls of every file tool and form of a shell line. The expected answer comes from a reader of its own: a URL resolves
// the paths that a row says a call touches, and a row names the programs that bash would run.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commandsIn } from '../../cli/runs/hook/requests.ts'
import { processorTime } from '../support/effort.ts'
import { blazon } from './terminal.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hook-table-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const project = join(root, 'project')
for (const name of ['src', 'secret', '.claude']) mkdirSync(join(project, name), { recursive: true })
mkdirSync(join(root, 'outside'))
writeFileSync(join(project, 'src/a.ts'), '')
symlinkSync(join(root, 'outside'), join(project, 'out'))
symlinkSync(join(root, 'outside/new'), join(project, 'dangling'))

const DOCUMENT = JSON.stringify({
  adl_spec: '0.1.0',
  name: 'coder',
  description: 'Writes code',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
  permissions: {
    execution: { allowed_commands: ['*'], denied_commands: ['rm', 'curl*'], allow_shell: true },
    filesystem: {
      allowed_paths: [{ path: `${project}/**`, access: 'read_write' }],
      denied_paths: [`${project}/secret/**`],
    },
    network: { allowed_hosts: ['docs.example.com'], allowed_ports: [443] },
  },
  tools: [{ name: 'mcp__fs__do', description: 'Does' }],
})

let calls = 0
async function decisionOf(tool: string, input: object, cwd = project) {
  calls++
  const event = { hook_event_name: 'PreToolUse', session_id: `s${calls}`, tool_use_id: 't', cwd }
  const stdin = JSON.stringify({ ...event, tool_name: tool, tool_input: input, transcript_path: '/h/.claude/x' })
  const line = ['runs', 'hook', '--to', join(root, 'runs'), '--document', 'agent.json']
  const { stdout, code } = await blazon(line, { stdin, files: { 'agent.json': DOCUMENT } })
  return code === 2 ? 'deny' : stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput.permissionDecision
}

/** The reader: resolves dots as a URL does, and knows the two links of the project. */
function isPermitted(path: string) {
  const plain = path.replace(/^~(?=\/|$)/, homedir())
  const { pathname } = new URL(plain.replaceAll('%', '%25'), `file://${project}/`)
  const inside = decodeURIComponent(pathname)
  if (!`${inside}/`.startsWith(`${project}/`)) return false
  return !/^\/(secret|out|dangling|\.codex|\.mcp\.json|\.(claude|gemini)\/settings)/i.test(inside.slice(project.length))
}

const PATHS = [
  'src/a.ts',
  './src/../src/new.ts',
  `${project}/src/b.ts`,
  'src/a b.ts',
  '/etc/passwd',
  '../x',
  'src/../../x',
  '~/x',
  '~',
  'secret/key',
  './secret//key',
  'src/../secret/key',
  'out/x',
  'dangling',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.CLAUDE/Settings.json',
  '.codex/config.toml',
  '.gemini/settings.json',
]
const FILE_TOOLS = [
  ['Read', 'file_path'],
  ['Write', 'file_path'],
  ['Edit', 'filePath'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
  ['mcp__fs__do', 'path'],
  ['replace', 'file_path'],
] as const

test.each(FILE_TOOLS)(
  '%s is answered as the paths it touches',
  async (tool, member) => {
    for (const path of PATHS)
      expect([path, await decisionOf(tool, { [member]: path })]).toEqual([path, isPermitted(path) ? undefined : 'deny'])
  },
  60_000,
)

test('each member that names a path counts, at any depth, and two are both judged', async () => {
  for (const member of ['cwd', 'uri', 'directory', 'repo_path', 'targetFile', 'paths', 'source', 'destination'])
    for (const value of ['src/a.ts', '../x']) {
      const input = { options: [{ [member]: member === 'paths' ? ['src/a.ts', value] : value }] }
      expect([input, await decisionOf('mcp__fs__do', input)]).toEqual([input, isPermitted(value) ? undefined : 'deny'])
    }
  expect(await decisionOf('mcp__fs__do', { uri: 'file:///etc/passwd' })).toBe('deny')
  expect(await decisionOf('mcp__fs__do', { url: 'FILE:///etc/passwd' })).toBe('deny')
  expect(await decisionOf('Read', { file_path: 'src/a.ts', path: '/etc/passwd' })).toBe('deny')
  expect(await decisionOf('Bash', { command: 'ls', cmd: 'rm x' })).toBe('deny')
  expect(await decisionOf('Read', { file_path: '~bob/x' })).toBe('deny')
}, 60_000)

test('a command in words is one command, and others are not', () => {
  expect(commandsIn({ command: ['git', 'push'] })).toEqual(['git push'])
  expect(commandsIn({ command: ['git', ['push']] })).toEqual(['git', 'push'])
})

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
test.each([
  [patch('*** Add File: src/n.ts', '+x'), undefined],
  [patch('*** Update File: src/a.ts', '@@', '-a', '+b', '*** End of File'), undefined],
  [`  \n${patch('*** Delete File: src/a.ts')}\n `, undefined],
  [`<<'EOF'\n${patch('*** Delete File: src/a.ts')}\nEOF`, undefined],
  [patch(' *** Update File: /etc/passwd', '@@', '+x'), 'deny'],
  [patch('*** Add File: src/a.ts', '+x', '\t*** Add File: ../x', '+x'), 'deny'],
  [patch('\u0085*** Delete File: ../x'), 'deny'],
  [patch('\u2003*** Delete File: ../x'), 'deny'],
  [patch('*** Delete File: ../x\u2028y'), 'deny'],
  [patch('*** Delete File: ..\r/x', '*** Delete File: ../x\r'), 'deny'],
  [patch('*** Update File: src/a.ts', '*** Move to: ../x', '@@', '+x'), 'deny'],
  [patch('*** Update File: src/a.ts', '*** Move to: .codex/hooks.json', '@@', '+x'), 'deny'],
  [patch('*** Delete File: ~/x'), 'deny'],
  [patch('*** Delete File: src/a.ts', '*** Environment ID: remote'), 'deny'],
  [patch('*** Delete File: src/a.ts').replace('*** End Patch', ''), 'deny'],
  [patch(), 'deny'],
  [patch('*** Add File: src/n.ts', `+${'x'.repeat(256 << 10)}`), 'deny'],
  [patch(...Array.from({ length: 201 }, (_, i) => `*** Delete File: src/${i}`)), 'deny'],
] as const)('the patch %j: %s', async (text, decision) => {
  for (const member of ['command', 'input', 'patch'])
    expect(await decisionOf('apply_patch', { [member]: text })).toBe(decision)
  if (text.startsWith('*** Begin'))
    expect(await decisionOf('Bash', { command: `apply_patch <<'EOF'\n${text}\nEOF` })).not.toBe(
      decision === undefined && text.includes('src/') ? 'deny' : undefined,
    )
})

test.each([
  ['Grep', { pattern: 'x', path: 'src' }, undefined],
  ['Grep', { pattern: '../x', path: `${project}/src` }, undefined],
  ['Grep', { pattern: 'x', path: 'src/a.ts' }, undefined],
  ['Grep', { pattern: 'x' }, 'deny'], // reaches secret/
  ['Grep', { pattern: 'x', path: 'src', glob: '*.{ts,js}' }, undefined],
  ['Grep', { pattern: 'x', path: 'src', glob: '../secret/**' }, 'deny'],
  ['Grep', { pattern: 'x', path: '/' }, 'deny'],
  ['Grep', { pattern: 'x', path: 'out' }, 'deny'],
  ['Glob', { pattern: 'src/**/*.ts' }, undefined],
  ['Glob', { pattern: '**/*.ts', path: 'src' }, undefined],
  ['Glob', { pattern: '/etc/*' }, 'deny'],
  ['Glob', { pattern: '~/*' }, 'deny'],
  ['Glob', { pattern: 'src/../../*' }, 'deny'],
  ['Glob', { pattern: 'src/**/../../../*' }, 'deny'],
  ['Glob', { pattern: '{/etc,src}/*' }, 'deny'],
  ['Glob', { pattern: 'src/{a,../../x}' }, 'deny'],
  ['Glob', { pattern: 'secret/*' }, 'deny'],
  ['LS', { path: 'src' }, undefined],
  ['LS', { path: '..' }, 'deny'],
  ['glob', { pattern: 'src/**/*.ts' }, undefined],
  ['glob', { pattern: '*', path: '..' }, 'deny'],
  ['grep_search', { pattern: 'x', path: 'src', include: '*.ts' }, undefined],
  ['grep_search', { pattern: 'x', path: 'src', include: '../secret/**' }, 'deny'],
  ['search_file_content', { pattern: 'x' }, 'deny'], // reaches secret/
  ['list_directory', { dir_path: 'src' }, undefined],
  ['list_directory', { dir_path: 'secret' }, 'deny'],
  ['read_many_files', { include: ['src/*.ts', 'src/a.ts'] }, undefined],
  ['read_many_files', { include: ['src/*.ts', '/etc/*'] }, 'deny'],
  ['run_shell_command', { command: 'ls', dir_path: 'src' }, undefined],
  ['run_shell_command', { command: 'ls && rm x' }, 'deny'],
  ['web_fetch', { prompt: 'Sum up https://docs.example.com/a and HTTPS://docs.example.com/b' }, undefined],
  ['web_fetch', { prompt: 'Sum up https://docs.example.com/a and (http://10.0.0.1/)' }, 'deny'],
  ['web_fetch', { prompt: 'Sum up https://docs.example.com/a and https://[x/' }, 'deny'],
  ['web_fetch', { prompt: 'Sum up example.com' }, 'deny'],
  ['write_todos', { todos: [] }, undefined],
  ['save_memory', { fact: 'x' }, 'deny'],
  ['TodoWrite', { todos: [] }, undefined],
  ['WebSearch', { query: 'x' }, 'deny'],
  ['Unknown', { path: 'src' }, 'deny'],
] as const)('%s %j: %s', async (tool, input, decision) => {
  expect(await decisionOf(tool, input)).toBe(decision)
})

test.each([
  ...[
    'ls -la',
    'ls $HOME',
    `echo \${HOME} "\${x:-y}"`,
    'cd src && npm test',
    'grep -r x . | head -n 3',
    '[ -f a ] && echo yes',
    'git commit -m "a"',
  ].map((line) => [line, undefined] as const),
  ...[
    'rm x',
    '\\rm x',
    "r''m x",
    'r"m" x',
    'r\\\nm x',
    '{rm,x}',
    'a;{ rm x;}',
    '/bin/rm x',
    '(rm x)',
    'a=1 rm x',
    '/bin/r\\m x',
  ].map((line) => [line, 'deny'] as const),
  ...[
    'env rm x',
    'nice rm x',
    'xargs rm',
    'sh -c "rm x"',
    'bash -c \'r""m x\'',
    'echo $(rm x)',
    'c""url x',
    'echo `rm x`',
  ].map((line) => [line, 'deny'] as const),
  ...[
    'echo {} > .claude/settings.json',
    'cat > ../.claude/settings.local.json',
    "tee .clau''de/hooks/a.sh",
    'sed -i s/a/b/ ~/.codex/config.toml',
    'cp a .claude//./settings.json',
    'ls -R ~/.blazon/runs',
    'printf x >> .mcp.json',
    'echo {} > .gemini/settings.json',
  ].map((line) => [line, 'deny'] as const),
  ...[
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: src/n.ts\n+$(rm x)\n*** End Patch\nEOF",
    'apply_patch <<"A"\n*** Begin Patch\n*** Add File: src/n.ts\n+x\n*** End Patch\nA\n',
  ].map((line) => [line, undefined] as const),
  ...[
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ../n.ts\n+x\n*** End Patch\nEOF",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: src/n.ts\n+x\n*** End Patch\nEOF\nrm x\n*** End Patch\nEOF",
    'apply_patch <<EOF\n*** Begin Patch\n*** Add File: src/n.ts\n+$(rm x)\n*** End Patch\nEOF',
  ].map((line) => [line, 'deny'] as const),
  ...['cat .claude/commands/fix.md', 'ls .codexes'].map((line) => [line, undefined] as const),
  ...[
    '$(echo r)m x',
    '`echo r`m x',
    'eval "$X"',
    'echo cm0geAo= | base64 -d | sh',
    '$x a',
    `\${x} a`,
    `echo \${x@P}`,
    'a=r; $a"m" x',
    "$'\\x72m' x",
    '/bin/r? x',
    '/bin/r[m] x',
    'if true; then $x; fi',
    'env $x',
    'bash <(echo x)',
    '. ./script',
    'source script',
  ].map((line) => [line, 'ask'] as const),
])('the shell line %j: %s', async (line, decision) => {
  for (const input of [{ command: line }, { cmd: line }]) expect(await decisionOf('Bash', input)).toBe(decision)
})

test('settings of each parent folder are closed, and the answer comes in time', async () => {
  const sub = join(project, 'src')
  for (const path of ['../.claude/settings.json', '../../.mcp.json', join(homedir(), '.codex/config.toml')])
    expect([path, await decisionOf('Edit', { file_path: path }, sub)]).toEqual([path, 'deny'])
  const deep = (count: number) => Array.from({ length: count }, (_, i) => `src/${i}/${'a/'.repeat(1500)}b`)
  const start = processorTime()
  expect(await decisionOf('mcp__fs__do', { paths: deep(200) })).toBeUndefined()
  expect(await decisionOf('mcp__fs__do', { paths: deep(201) })).toBe('deny')
  expect(processorTime() - start).toBeLessThan(15_000)
}, 60_000)

test('the table has at least 150 calls', () => expect(calls).toBeGreaterThanOrEqual(150))
