import { expect, test } from 'vitest'
import { validate } from '../../bindings/index.ts'
import { processorTime } from '../support/effort.ts'

/** The findings of rules in a settings file, as `rule pointer`. */
function findingsOf(settings: object): string[] {
  const { diagnostics } = validate(JSON.stringify(settings), { as: 'claude-settings' })
  return diagnostics.map(({ rule, source }) => `${rule} ${source?.pointer}`)
}
const permissions = (lists: object) => findingsOf({ permissions: lists })

test.each([
  [{ deny: ['Write(docs/**)', 'NotebookEdit(a)', 'Glob(a)', 'MultiEdit(a)'] }, 'dead-rule', 4],
  [{ deny: ['Write', 'Glob', 'NotebookEdit'] }, 'dead-rule', 0],
  [{ allow: ['Bash(git:* push)'] }, 'dead-rule', 1],
  [{ allow: ['Bash(git push:*)'] }, 'dead-rule', 0],
  [{ deny: ['Bash(command:rm *)'] }, 'dead-rule', 1],
  [{ deny: ['Bash(run_in_background:true)', 'Agent(model:opus)'] }, 'dead-rule', 0],
  [{ allow: ['*', 'B*', 'mcp__*'] }, 'dead-rule', 3],
  [{ allow: ['mcp__puppeteer__*', 'mcp__github__get_*'] }, 'dead-rule', 0],
  [{ deny: ['*', 'mcp__*'] }, 'dead-rule', 0],
  [{ allow: ['WebFetch(https://example.com)'] }, 'dead-rule', 1],
  [{ allow: ['WebFetch(domain:example.com)'] }, 'dead-rule', 0],
  [{ deny: ['Stop Task', 'bash(rm)', 'Reed(a)'] }, 'unknown-tool', 2],
  [{ deny: ['mcp__x', 'my_tool', 'B*'] }, 'unknown-tool', 0],
  [{ deny: ['Bash(rm', 'Bash()', '', 'Stop Task'] }, 'rule-form', 4],
  [{ deny: ['Bash(echo "(a)")'] }, 'rule-form', 0],
  [{ deny: ['Read(/etc/passwd)', 'Edit(/Users/alice/x)'] }, 'not-absolute', 2],
  [{ deny: ['Read(//etc/passwd)', 'Edit(/src/x)', 'Bash(/usr/bin/x)'] }, 'not-absolute', 0],
  [{ allow: ['Bash(sudo *)'], deny: ['Bash(rm:*)'] }, 'passed-denial', 1],
  [{ allow: ['Bash'], deny: ['Bash(curl *)'] }, 'passed-denial', 1],
  [{ allow: ['Bash(bash:*)', 'Bash(env:*)', 'Bash(xargs:*)'], deny: ['Bash(rm:*)'] }, 'passed-denial', 3],
  [{ allow: ['Bash(env:*)'], deny: ['Bash(rm:*)', 'Bash(env:*)'] }, 'passed-denial', 0],
  [{ allow: ['Bash(timeout:*)'], deny: ['Bash(rm:*)'] }, 'passed-denial', 0],
  [{ allow: ['Bash(python3 *)'], deny: ['Read(.env)'] }, 'passed-denial', 1],
  [{ allow: ['Bash(cat *)'], deny: ['Read(.env)'] }, 'passed-denial', 0],
  [{ allow: ['Bash(aws s3 ls)'], deny: ['Bash(aws *)'] }, 'idle-allow', 1],
  [{ allow: ['Bash(aws s3 *)'], ask: ['Bash(aws:*)'] }, 'idle-allow', 1],
  [{ allow: ['Bash(aws *)'], deny: ['Bash(aws s3 *)'] }, 'idle-allow', 0],
  [{ allow: ['Bash(ls *)'], deny: ['Bash(rm *)'] }, 'idle-allow', 0],
  [{ allow: ['Read(a)'], deny: ['Read'] }, 'idle-allow', 1],
  [{ allow: ['Bash(* --version)', 'Bash(git * main)'] }, 'wide-allow', 2],
  [{ allow: ['Bash(git log *)', 'Bash(npm run test*)', 'Bash(*)', 'Bash(git *)'] }, 'wide-allow', 0],
  [{ denny: [], Allow: [] }, 'unknown-member', 2],
  [{ deny: [], denny: [] }, 'unknown-member', 1],
])('%j has %s %i times', (lists, rule, count) => {
  expect(permissions(lists).filter((one) => one.startsWith(`${rule} `))).toHaveLength(count)
})

test('misspelt members and events get the nearest name, and those of other programs stay', () => {
  const { diagnostics } = validate(
    '{"permisions": {}, "myOwn": 1, "status": 1, "agents": [], "hooks": {"PreTooluse": []}}',
    {
      as: 'claude-settings',
    },
  )
  expect(diagnostics.map(({ rule, detail }) => [rule, detail.split(': ')[1]])).toEqual([
    ['unknown-member', "did you mean 'permissions'?"],
    ['unknown-event', "did you mean 'PreToolUse'?"],
  ])
})

test('a hook with if counts for events about tools alone', () => {
  const hooks = [{ hooks: [{ type: 'command', command: 'x', if: 'Bash(git *)' }] }]
  expect(findingsOf({ hooks: { Stop: hooks, PreToolUse: hooks } })).toEqual(['unknown-event /hooks/Stop/0/hooks/0/if'])
  expect(findingsOf({ hooks: { PreToolUse: [{ matcher: 'bash|Edit', hooks: [] }] } })).toEqual([
    'unknown-tool /hooks/PreToolUse/0/matcher',
  ])
  const misspelt = [{ hooks: [{ type: 'command', comand: 'x', other: 1 }] }]
  expect(findingsOf({ hooks: { PreToolUse: misspelt } })).toEqual(['unknown-member /hooks/PreToolUse/0/hooks/0/comand'])
})

test('the sandbox stops what passes a denial', () => {
  const settings = { permissions: { allow: ['Bash'], deny: ['Bash(curl *)'] } }
  expect(findingsOf({ ...settings, sandbox: { enabled: true } })).toEqual([])
  expect(findingsOf({ ...settings, sandbox: { enabled: true, allowUnsandboxedCommands: true } })).toHaveLength(1)
})

test('10,000 rules of each list take bounded time', () => {
  const lists = ['allow', 'ask', 'deny'].map((list) => [
    list,
    Array.from({ length: 10_000 }, (_, i) => `Bash(a${i} *)`),
  ])
  const began = processorTime()
  expect(permissions(Object.fromEntries(lists))).not.toContain('dead-rule')
  expect(processorTime() - began).toBeLessThan(3_000)
})

test('a misspelt member is reported next to the right one, without a fix', () => {
  const { diagnostics } = validate('{"permissions": {}, "permisions": {}}', { as: 'claude-settings' })
  expect(diagnostics).toMatchObject([{ rule: 'unknown-member' }])
  expect(diagnostics[0]).not.toHaveProperty('fix.edits')
})

test.each([
  ['{"permissions": {"LIST": ["Wirte(src/**)"]}}', 'unknown-tool'],
  ['{"permissions": {"LIST": ["Write(src/**)"]}}', 'dead-rule'],
  ['{"permissions": {"LIST": ["Read(/etc/**)"]}}', 'not-absolute'],
  ['{"permissions": {"LISTT": ["Bash(rm *)"]}}', 'unknown-member'],
])('a repair of %s makes denials, and no grants', (text, rule) => {
  const fixOf = (list: string) =>
    validate(text.replace('LIST', list), { as: 'claude-settings' }).diagnostics.find((one) => one.rule === rule)?.fix
  expect([fixOf('deny')?.edits?.length, fixOf('allow')?.edits?.length, fixOf('allow')?.hint]).toEqual([
    1,
    undefined,
    expect.any(String),
  ])
})
