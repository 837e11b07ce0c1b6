// Expected answers are sentences of https://code.claude.com/docs/en/permissions, one row each.
import { describe, expect, test } from 'vitest'
import { settingsGranting } from '../../bindings/claude-settings/granting.ts'
import { splitLine } from '../../bindings/claude-settings/shell-line.ts'
import { parse } from '../../bindings/document/parse.ts'
import type { PermissionRequest } from '../../bindings/policy/request.ts'
import { processorTime } from '../support/effort.ts'

const PLACES = { root: '/project', home: '/home/alice' }

/** Decides by rules in the form `allow: A, B; deny: C`. */
function outcomeOf(rules: string, request: PermissionRequest, more: object = {}): string {
  const lists = rules.split('; ').map((list) => list.split(': ', 2) as [string, string?])
  const permissions = Object.fromEntries(lists.map(([list, texts]) => [list, texts?.split(', ') ?? []]))
  const { document } = parse(JSON.stringify({ permissions: { ...permissions, ...more } }))
  return settingsGranting(document!, PLACES).decide(request).outcome
}
const bash = (command: string): PermissionRequest => ({ domain: 'execution', command, shell: true })
const read = (path: string): PermissionRequest => ({ domain: 'filesystem', path, access: 'read' })
const edit = (path: string): PermissionRequest => ({ domain: 'filesystem', path, access: 'write' })
const fetches = (host: string): PermissionRequest => ({ domain: 'network', host })
const tool = (name: string): PermissionRequest => ({ domain: 'tool', name })

describe('commands', () => {
  test.each([
    ['allow: Bash(npm run build)', 'npm run build', 'allow'],
    ['allow: Bash(npm run build)', 'npm run build --watch', 'ask'],
    ['allow: Bash', 'rm -rf x', 'allow'],
    ['allow: Bash(*)', 'rm -rf x', 'allow'],
    ['allow: Bash(ls2 *)', 'ls2 -la', 'allow'],
    ['allow: Bash(ls2 *)', 'ls2', 'allow'],
    ['allow: Bash(ls2 *)', 'ls2of', 'ask'],
    ['allow: Bash(ls2*)', 'ls2of', 'allow'],
    ['allow: Bash(ls2:*)', 'ls2 -la', 'allow'],
    ['allow: Bash(ls2:*)', 'ls2of', 'ask'],
    ['allow: Bash(git:* push)', 'git x push', 'ask'],
    ['allow: Bash(git * main)', 'git push origin main', 'allow'],
    // The page says this of one wildcard, so a pattern with two needs its last words.
    ['allow: Bash(git * main *)', 'git push main', 'ask'],
    ['allow: Bash(* install)', 'npm install', 'allow'],
    ['deny: Bash(aws *); allow: Bash(aws s3 ls)', 'aws s3 ls', 'deny'],
    ['ask: Bash(aws *); allow: Bash(aws s3 ls)', 'aws s3 ls', 'ask'],
    ['allow: Bash(safe *)', 'safe a && other', 'ask'],
    ['allow: Bash(safe *), Bash(other)', 'safe a && other', 'allow'],
    ...['&&', '||', ';', '|', '|&', '&', '\n'].map((mark) => ['allow: Bash(safe *)', `safe a ${mark} other`, 'ask']),
    ...['&&', '||', ';', '|', '|&', '&', '\n'].map((mark) => ['deny: Bash(rm *)', `safe a ${mark} rm b`, 'deny']),
    ['deny: Bash(rm *); allow: Bash', 'echo $(rm x)', 'deny'],
    ['deny: Bash(rm *); allow: Bash', '(cd a; rm x)', 'deny'],
    ['deny: Bash(rm *); allow: Bash', 'for a in b; do rm $a; done', 'deny'],
    ['deny: Bash(rm *); allow: Bash', 'A=1 rm x', 'deny'],
    ['deny: Bash(rm *); allow: Bash', 'timeout -k 5 30 rm x', 'deny'],
    ['deny: Bash(rm *); allow: Bash', 'xargs rm', 'deny'],
    ['deny: Bash(rm *); allow: Bash', 'xargs -n1 rm', 'allow'],
    ['deny: Bash(rm *); allow: Bash', "bash -c 'rm x'", 'allow'],
    ['deny: Bash(rm *); allow: Bash', '/bin/rm x', 'allow'],
    ['allow: Bash(safe *)', 'safe "a; b" \'c && d\'', 'allow'],
    ['allow: Bash(safe *)', 'safe $(other)', 'ask'],
    ['allow: Bash(safe *)', 'safe `other`', 'ask'],
    ['allow: Bash(safe *)', 'safe <(other)', 'ask'],
    ['allow: Bash(safe *)', 'safe "$(other)"', 'ask'],
    ['allow: Bash(safe *)', 'A=1 safe x', 'ask'],
    ['allow: Bash(npm test *)', 'timeout 30 npm test a', 'allow'],
    ['allow: Bash(npm test *)', 'nohup npm test a', 'allow'],
    ['allow: Bash(grep2 *)', 'xargs grep2 pattern', 'allow'],
    ['allow: Bash(grep2 *)', 'xargs -n1 grep2 pattern', 'ask'],
    ['allow: Bash(npm test)', 'npx npm test', 'ask'],
    ['allow: Bash(watch *)', 'watch rm x', 'ask'],
    ['allow: Bash(find *)', 'find . -exec rm {} +', 'ask'],
    ['allow: Bash(find *)', 'find . -delete', 'ask'],
    ['allow: Bash(watch ls)', 'watch ls', 'allow'],
    ['allow: ', 'ls src', 'allow'],
    ['allow: ', 'cat /etc/passwd', 'ask'],
    ['ask: Bash(ls *)', 'ls src', 'ask'],
    ['deny: Read(.env); allow: Bash(cat *)', 'cat .env', 'deny'],
    ['deny: Read(.env); allow: Bash(cat *)', 'cat a/../.env', 'deny'],
    ['allow: Bash(safe *)', 'safe > out.txt', 'ask'],
    ['allow: Bash(safe *)', 'safe > /dev/null 2>&1', 'allow'],
    ['allow: Bash(safe *), Edit(/out/**)', 'safe > out/a.txt', 'allow'],
    ['allow: Bash(safe *); deny: Edit(/out/**)', 'safe > out/a.txt', 'deny'],
    ['allow: ', '', 'deny'],
  ])('%s: %s', (rules, line, outcome) => {
    expect(outcomeOf(rules!, bash(line!))).toBe(outcome)
  })

  // What Bash runs, reads and writes for these lines was tried with Bash 5.2.
  test.each([
    // A quote in a comment does not hide the next line, and an escaped blank does not begin a comment.
    ['allow: Bash(safe *)', "safe a # it's\nrm -rf x\n# it's", 'ask'],
    ['allow: Bash(safe *)', 'safe \\ #; rm x', 'ask'],
    ['allow: Bash(safe *)', 'safe a # rm; b', 'allow'],
    ['deny: Bash(rm *); allow: Bash', "# it's\nrm a", 'deny'],
    // Only `>&2` is a stream.
    ['allow: Bash(safe *)', 'safe > 2', 'ask'],
    ['allow: Bash(safe *)', 'safe &>2', 'ask'],
    ['allow: Bash(safe *), Edit(/**)', 'safe > ~root/x', 'ask'],
    ['allow: Bash(safe *), Edit(/out/**)', `safe >${' '.repeat(4090)}out/a/../../../etc/x`, 'ask'],
    ['deny: Edit(.env); allow: Bash, Edit', 'safe > ".env"', 'deny'],
    // No white space for Bash, so a name of a program.
    ['allow: ', 'ls\u00a0./x', 'ask'],
    ['allow: ', 'cat\u000bREADME', 'ask'],
    ['allow: Bash(find *)', 'find . "-delete"', 'ask'],
    ['allow: Bash(find *)', 'nohup find . -delete', 'ask'],
    // Files in options.
    ['allow: ', 'diff --to-file=/etc/shadow README', 'ask'],
    ['allow: ', 'grep -f/etc/shadow README', 'ask'],
    ['allow: ', 'ls --color=auto -la src', 'allow'],
    ['deny: Read(.env); allow: ', 'diff --to-file=.env README', 'deny'],
    // Another folder.
    ['deny: Read(./secrets/**); allow: ', 'cd secrets && cat key', 'deny'],
    ['deny: Read(./secrets/**); allow: Bash(cat *)', 'true; cd secrets; cat key', 'deny'],
    ['allow: ', 'cd && cat .bash_history', 'ask'],
    ['allow: ', 'cd - && cat passwd', 'ask'],
    ['allow: Bash(cd *)', 'cd /etc && cat passwd', 'ask'],
    ['allow: Bash(cd *), Bash(safe *), Edit(/out/**)', 'cd /etc && safe > out/a', 'ask'],
    ['allow: ', 'cd src && cat a.ts', 'allow'],
    // Denials see what Bash makes of quotes and blanks.
    ['deny: Bash(git push *); allow: Bash(git *)', 'git  push x', 'deny'],
    ...['rm\tx', 'r\\m x', '"rm" x', "A='b c' rm x", 'A[1]+=2 rm x', 'r\\\nm x'].map((line) => [
      'deny: Bash(rm *); allow: Bash',
      line,
      'deny',
    ]),
    ...['timeout -s KILL .5 rm x', 'stdbuf -o L rm x', 'coproc rm x', "echo $'\\''; rm x"].map((line) => [
      'deny: Bash(rm *); allow: Bash',
      line,
      'deny',
    ]),
    ...['function f { rm x; }; f', "cat <<'E'\n'\nE\nrm x", '{rm,x}'].map((line) => [
      'deny: Bash(rm *); allow: Bash',
      line,
      'ask',
    ]),
    ['deny: Read(.env); allow: Bash(cat *)', 'cat .e\\nv', 'deny'],
    ['deny: Read(a b); allow: Bash(cat *)', 'cat "a b"', 'deny'],
    ['deny: Read(.env); allow: Bash(cat *)', 'cat .e*', 'ask'],
    ['deny: Read(.env); allow: Bash', 'ls -a | xargs cat', 'ask'],
    ['deny: Bash(rm *); allow: Bash', 'ls -a | xargs cat', 'allow'],
    ['deny: Read(.env); allow: ', "find . -name '*.ts'", 'ask'],
    ['deny: Read(.env); allow: Bash(find *)', "find . -name '*.ts'", 'allow'],
    ['deny: Read(.env); allow: Bash', 'safe < .env', 'deny'],
  ])('%s: not more than Bash does: %j', (rules, line, outcome) => {
    expect(outcomeOf(rules!, bash(line!))).toBe(outcome)
  })

  test.each([
    ['allow: ', 'cp a b', 'allow'],
    ['allow: ', 'cp -at.. a', 'ask'],
    ['allow: ', 'cp --target-directory=.. a', 'ask'],
    ['deny: Edit(/out/**)', 'cp a out', 'deny'],
    ['deny: Edit(/out/**)', 'mv out b', 'ask'],
    ['deny: Read(key)', 'grep -r x .', 'ask'],
    ['deny: Read(key)', 'grep -rfkey README', 'deny'],
  ])('%s: in mode acceptEdits, also what is below a folder: %s', (rules, line, outcome) => {
    expect(outcomeOf(rules, bash(line), { defaultMode: 'acceptEdits' })).toBe(outcome)
  })

  test.each([
    ["a 'b; c' d", ["a 'b; c' d"]],
    ['a\\;b', ['a\\;b']],
    ['a "$(b; c)" d', ['a "', 'b', 'c', '" d']],
    ['if a; then b; fi', ['a', 'b']],
    ['{ a; }', ['a']],
    ['! a', ['a']],
  ])('splits %s', (line, commands) => {
    expect(splitLine(line).commands).toEqual(commands)
  })
})

describe('files', () => {
  test.each([
    ['allow: Read(//data/secrets/**)', '/data/secrets/a/b', 'allow'],
    ['allow: Read(//data/secrets/**)', '/data/other', 'ask'],
    ['deny: Read(/data/secrets/**)', '/data/secrets/a', 'ask'],
    ['deny: Read(~/Documents/*.pdf)', '/home/alice/Documents/a.pdf', 'deny'],
    ['deny: Read(~/Documents/*.pdf)', '/home/alice/Documents/b/a.pdf', 'ask'],
    ['deny: Read(/src/**)', '/project/src/a/b.ts', 'deny'],
    ['deny: Read(.env)', '/project/.env', 'deny'],
    ['deny: Read(.env)', '/project/a/b/.env', 'deny'],
    ['deny: Read(**/.env)', '/project/a/b/.env', 'deny'],
    ['deny: Read(.env)', '/other/.env', 'ask'],
    ['deny: Read(//**/.env)', '/other/a/.env', 'deny'],
    ['deny: Read(secrets)', '/project/secrets/a/b', 'deny'],
    ['deny: Read(./secrets/)', '/project/secrets/a', 'deny'],
    ['deny: Read(a?[bc].txt)', '/project/axb.txt', 'deny'],
    ['allow: ', '/project/a', 'allow'],
    ['allow: ', '/elsewhere/a', 'ask'],
    ['ask: Read', '/project/a', 'ask'],
    ['allow: Edit(//data/**)', '/data/a', 'allow'],
    ['deny: Read(.env)', '/project/a/../.env', 'deny'],
  ])('%s: reading %s', (rules, path, outcome) => {
    expect(outcomeOf(rules, read(path))).toBe(outcome)
  })

  test.each([
    ['allow: Edit(/docs/**)', '/project/docs/a', 'allow'],
    ['allow: Write(/docs/**)', '/project/docs/a', 'ask'],
    ['deny: Write(/docs/**); allow: Edit', '/project/docs/a', 'allow'],
    ['allow: Read(/docs/**)', '/project/docs/a', 'ask'],
    ['deny: Edit(/docs/**); allow: Edit, Write', '/project/docs/a', 'deny'],
  ])('%s: writing %s', (rules, path, outcome) => {
    expect(outcomeOf(rules, edit(path))).toBe(outcome)
  })
})

test.each([
  ['allow: WebFetch(domain:example.com)', fetches('example.com'), 'allow'],
  ['allow: WebFetch(domain:example.com)', fetches('EXAMPLE.com.'), 'allow'],
  ['allow: WebFetch(domain:*.example.com)', fetches('a.b.example.com'), 'allow'],
  ['allow: WebFetch(domain:*.example.com)', fetches('example.com'), 'ask'],
  ['allow: WebFetch(domain:*)', fetches('example.com'), 'allow'],
  ['allow: WebFetch(domain:example.*)', fetches('example.org'), 'allow'],
  ['allow: WebFetch(domain:example.*)', fetches('example.evil.com'), 'ask'],
  ['allow: WebFetch(https://example.com)', fetches('example.com'), 'ask'],
  ['deny: mcp__*', tool('mcp__a__b'), 'deny'],
  ['allow: mcp__*', tool('mcp__a__b'), 'ask'],
  ['allow: mcp__a', tool('mcp__a__b'), 'allow'],
  ['allow: mcp__a__*', tool('mcp__a__b'), 'allow'],
  ['allow: mcp__a__get_*', tool('mcp__a__get_x'), 'allow'],
  ['allow: mcp__a', tool('mcp__ab__c'), 'ask'],
  ['allow: mcp__a__b', tool('mcp__a__b__c'), 'ask'],
  ['deny: mcp__a__b', tool('mcp__a__b__c'), 'deny'],
  ...['evil。com', 'ｅvil.com', 'EVIL.com.', 'x@evil.com', 'evil.com:443', 'ev%69l.com'].map(
    (host) => ['deny: WebFetch(domain:evil.com); allow: WebFetch', fetches(host), 'deny'] as const,
  ),
  ['deny: WebFetch(domain:127.0.0.1); allow: WebFetch', fetches('0x7f.1'), 'deny'],
  ['deny: WebFetch(domain:*.bücher.example); allow: WebFetch', fetches('a.xn--bcher-kva.example'), 'deny'],
  ['deny: Read(.env); allow: ', read('/project/.env\0x'), 'deny'],
  ['deny: *', tool('Glob'), 'deny'],
  ['allow: ', tool('Glob'), 'allow'],
  ['allow: ', tool('Unheard'), 'ask'],
  ['allow: ', { domain: 'environment', variable: 'X' }, 'deny'],
] as const)('%s: %o', (rules, request, outcome) => {
  expect(outcomeOf(rules, request)).toBe(outcome)
})

test.each([
  ['acceptEdits', edit('/project/a'), 'allow'],
  ['acceptEdits', edit('/other/a'), 'ask'],
  ['acceptEdits', edit('/project/.git/config'), 'ask'],
  ['acceptEdits', bash('mkdir a'), 'allow'],
  ['acceptEdits', bash('mkdir /other'), 'ask'],
  ['plan', edit('/project/a'), 'deny'],
  ['dontAsk', bash('make'), 'deny'],
  ['auto', bash('make'), 'ask'],
  ['bypassPermissions', bash('make'), 'allow'],
  ['yolo', bash('make'), 'ask'],
] as const)('mode %s: %o', (defaultMode, request, outcome) => {
  expect(outcomeOf('allow: ', request, { defaultMode })).toBe(outcome)
  const rules = outcomeOf('deny: *', request, { defaultMode })
  expect(rules).toBe('deny')
})

test.each([
  ['stars', `Bash(${'*a'.repeat(4000)})`, `${'a'.repeat(8000)}b`],
  ['path stars', `Read(${'*a'.repeat(2000)}b)`, `cat ${'a'.repeat(8000)}`],
  ['folders', `Read(${'**/a/'.repeat(2000)}b)`, `cat ${'a/'.repeat(8000)}`],
  ['quotes', 'Bash(x *)', '"'.repeat(32_000)],
  ['substitutions', 'Bash(x *)', '$('.repeat(16_000)],
  ['keywords', 'Bash(x *)', 'if '.repeat(10_000)],
  ['wrappers', 'Bash(x *)', 'nice '.repeat(6_000)],
  ['redirects', 'Bash(x *)', '>a '.repeat(10_000)],
])('answers many x long: %s', (_, rule, line) => {
  const began = processorTime()
  expect(outcomeOf(`deny: ${rule}`, bash(line))).toBeTypeOf('string')
  expect(processorTime() - began).toBeLessThan(2_000)
})
