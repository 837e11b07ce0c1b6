// Duplicate members: programs use one or the other, so such a document has two meanings. Tested wherever untrusted JSON
// is read.
import { describe, expect, it } from 'vitest'
import { canonicalizeWithout } from '../../bindings/core/index.ts'
import { importKey, KeyError } from '../../bindings/keys/index.ts'
import { blazon } from '../cli/terminal.ts'
import { processorTime } from '../support/effort.ts'

const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
const OTHER = 'Xx4_L89E6RsyvDTzN9wuN3cDwgifPkXMgFJv_HMIxdk'
const SECRET = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'
const jwk = (members: string) => `{"kty": "OKP", "crv": "Ed25519", ${members}}`

const DOUBLED: Readonly<Record<string, string>> = {
  'two x': jwk(`"x": "${X}", "x": "${OTHER}"`),
  'two x, one with an escape': jwk(`"x": "${X}", "\\u0078": "${OTHER}"`),
  'two kty': jwk(`"x": "${X}", "kty": "RSA"`),
  'two d': jwk(`"x": "${X}", "d": "${SECRET}", "d": "${SECRET}"`),
  'two members that nobody reads': jwk(`"x": "${X}", "a": {"b": 1, "b": 2}`),
  'a comma at the end': jwk(`"x": "${X}", "d": "${SECRET}",`),
  'bytes behind the end': `${jwk(`"x": "${X}"`)} {}`,
  'half of a pair of surrogates': jwk(`"x": "${X}", "kid": "\\ud800"`),
}

describe('a JWK with', () => {
  it.each(Object.keys(DOUBLED))('%s is not a valid key, and the error reveals nothing of it', async (how) => {
    const error = await importKey(DOUBLED[how]!).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(KeyError)
    expect(error).toMatchObject({
      code: 'KEY-102',
      message: expect.stringMatching(/^expected a JSON Web Key, found a text/),
    })
    expect(String((error as Error).message)).not.toContain(SECRET.slice(0, 8))
    const { code, stderr } = await blazon(['sign', 'a.json', '--key', 'k.jwk'], {
      files: { 'k.jwk': DOUBLED[how]!, 'a.json': '{"adl_spec": "0.1.0"}' },
    })
    expect(code).toBe(2)
    expect(stderr).not.toContain(SECRET.slice(0, 8))
  })

  it('each member once is valid', async () => {
    expect((await importKey(jwk(`"x": "${X}", "kid": "a"`))).kind).toBe('Ed25519')
  })
})

describe('a set of keys, a request, a line of a backup', () => {
  it('with two members of one name is refused', async () => {
    const set = `{"keys": [${jwk(`"x": "${X}"`)}], "keys": []}`
    const verify = await blazon(['verify', 'a.json', '--key', 'set.json'], {
      files: { 'set.json': set, 'a.json': '{"adl_spec": "0.1.0"}' },
    })
    expect(verify.code).toBe(2)
    const request = '{"domain": "tool", "name": "search", "name": "delete"}'
    const decide = await blazon(['decide', 'a.json', '--request', request], {
      files: { 'a.json': '{"adl_spec": "0.1.0"}' },
    })
    expect(decide).toMatchObject({ code: 2, stderr: expect.stringContaining('--request: expected JSON') })
  })
})

it('a JSON Pointer of many slashes that ends badly is refused at once', () => {
  const before = processorTime()
  for (const pointer of [`${'/'.repeat(28)}~`, `${'/a'.repeat(100_000)}~2`, 'a', ''])
    expect(() => canonicalizeWithout('{}', [pointer])).toThrow(RangeError)
  expect(processorTime() - before).toBeLessThan(1000)
  expect(new TextDecoder().decode(canonicalizeWithout('{"a/~":1,"b":2}', ['/a~1~0']).payload)).toBe('{"b":2}')
})
