// A denial in a spelling that no path has would silently deny nothing.
import { describe, expect, test } from 'vitest'
import { decide } from '../../../bindings/adl/policy.ts'
import type { PolicyOptions } from '../../../bindings/policy/policy.ts'

const ask = (denied: string, path: string, options: PolicyOptions = {}) => {
  const allowed = [{ path: '**', access: 'read' }]
  const document = { permissions: { filesystem: { allowed_paths: allowed, denied_paths: [denied] } } }
  return decide(document, { domain: 'filesystem', path, access: 'read' }, options)
}

describe('[adl/9.1-8] the spelling of a denial', () => {
  test.each([
    ['//a', '/a', '/b'],
    ['/a/', '/a', '/b'],
    ['/a/./b', '/a/b', '/a/c'],
    ['/x/../a', '/a', '/x/a'],
    ['/x*/../a', '/a', '/x/a'],
    ['/a/**/', '/a/b/c', '/b'],
    ['**//a', '/x/a', '/x/b'],
    ['/../a', '/a', '/b'],
    ['/', '/', '/a'],
  ])('%s denies %s, not %s', (denied, path, other) => {
    expect([ask(denied, path).allowed, ask(denied, other).allowed]).toEqual([false, true])
  })

  test.each(['~/.ssh/**', 'etc/passwd', './a', '*.key', '$HOME/x', '/a/**/../b', '*/../a'])(
    '%s is not an absolute path, so nothing of the domain is granted',
    (denied) => {
      expect(ask(denied, '/elsewhere')).toMatchObject({
        allowed: false,
        decidedBy: '/permissions/filesystem/denied_paths/0',
      })
    },
  )

  test('denies Windows paths in every spelling', () => {
    const windows = { windows: true }
    for (const denied of ['C:\\a\\..\\secret.', 'c:/secret\\', 'C:\\\\Secret']) {
      expect([denied, ask(denied, 'C:\\secret', windows).allowed]).toEqual([denied, false])
      expect([denied, ask(denied, 'C:\\other', windows).allowed]).toEqual([denied, true])
    }
    expect(ask('secret\\x', 'C:\\other', windows).allowed).toBe(false)
  })

  test('denies every case of a letter, also the large ẞ', () => {
    const options = { caseInsensitive: true }
    for (const path of ['/stra\u00dfe', '/STRASSE', '/stra\u1e9ee'])
      for (const denied of ['/stra\u00dfe', '/STRA\u1e9eE']) expect(ask(denied, path, options).allowed).toBe(false)
  })

  test('a path of the other kind of system makes the domain unusable', () => {
    expect(ask('C:/Windows/x', '/a').allowed).toBe(true)
    expect(ask('/etc/x', 'C:\\a', { windows: true }).allowed).toBe(true)
  })
})
