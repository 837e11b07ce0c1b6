// A rule finds path patterns that nothing matches by looking at them. It must agree with the decisions.
import { expect, test } from 'vitest'
import { decide } from '../../bindings/adl/index.ts'
import { told } from './support.ts'

const filesystem = (members: object) => ({ permissions: { filesystem: members } })

const MATCHED = [
  '/',
  '/data',
  '/data/',
  '/data/**',
  '/**',
  '**',
  '*',
  '**/x',
  '/a/**/b',
  '/.hidden',
  '/a..b',
  'C:\\data\\**',
]
const NEVER = [
  'a/b',
  'data/**',
  './a',
  '~/notes/**',
  '$HOME/x',
  '*.key',
  '/a/../b',
  '/a/./b',
  '/a//b',
  '/..',
  '..',
  '**/../a',
]

const matched = (pattern: string) => pattern.replaceAll('**', 'x/y').replaceAll('*', 'x')
const paths = [...MATCHED, ...NEVER].flatMap((pattern) => [matched(pattern), `/${matched(pattern)}`])

function isGranted(pattern: string): boolean {
  const definition = JSON.stringify(filesystem({ allowed_paths: [{ path: pattern, access: 'read' }] }))
  const windows = /^[A-Z]:/.test(pattern)
  return paths.some((path) => decide(definition, { domain: 'filesystem', path, access: 'read' }, { windows }).allowed)
}

test.each(MATCHED)('[adl/9.3-1] %s is a pattern that paths match', (pattern) => {
  expect(told(filesystem({ allowed_paths: [{ path: pattern, access: 'read' }] }))).not.toContain(
    'unmatched-path /permissions/filesystem/allowed_paths/0/path',
  )
  expect(isGranted(pattern)).toBe(true)
})

test.each(NEVER)('[adl/9.3-1] %s is a pattern that no path matches', (pattern) => {
  expect(told(filesystem({ allowed_paths: [{ path: pattern, access: 'read' }] }))).toContain(
    'unmatched-path /permissions/filesystem/allowed_paths/0/path',
  )
  expect(isGranted(pattern)).toBe(false)
})

test.each(['a/b', '~/.ssh/**', '*.key', '**/../a'])(
  'a denial of %s makes the domain unusable, and is reported',
  (pattern) => {
    const granting = { allowed_paths: [{ path: '/**', access: 'read' }] }
    expect(told(filesystem({ ...granting, denied_paths: [pattern] }))).toContain(
      'unmatched-path /permissions/filesystem/denied_paths/0',
    )
    const definition = JSON.stringify(filesystem({ ...granting, denied_paths: [pattern] }))
    const { allowed, decidedBy } = decide(definition, { domain: 'filesystem', path: '/data', access: 'read' })
    expect([allowed, decidedBy]).toEqual([false, '/permissions/filesystem/denied_paths/0'])
  },
)

test('a denial is resolved like paths: it denies, and nothing is reported', () => {
  expect(told(filesystem({ denied_paths: ['/b/../a', '//a', '/a/', '/a'] }))).toEqual([])
})
