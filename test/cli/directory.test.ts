import { describe, expect, test } from 'vitest'
import { blazon, type Setting } from './terminal.ts'

const ENV = { BLAZON_TOKEN: 'secret' }
const line = (id: string, card = 'e30') => JSON.stringify({ id: `agent://${id}`, card, standing: 'signature' })

interface Sent {
  readonly url: string
  readonly token: string | null
  readonly body: string
}

async function directory(argv: string, answer: (sent: Sent, n: number) => Response, setting: Setting = {}) {
  const sent: Sent[] = []
  const server = async (request: Request) => {
    const one = { url: request.url, token: request.headers.get('authorization'), body: await request.text() }
    sent.push(one)
    return answer(one, sent.length)
  }
  return { sent, ...(await blazon(['directory', ...argv.split(' ')], { env: ENV, server, ...setting })) }
}

/** The form of `GET /v1/directory/rules`. */
const RULES = [
  { host: 'spam.example', verdict: 'block', reason: 'spam', at: '2026-03-01T12:00:00.000Z' },
  { id: 'agent://friend', verdict: 'allow', reason: '', at: '2026-03-01T12:00:00.000Z' },
]

const page = (lines: readonly string[], more = false) =>
  new Response(lines.map((text) => `${text}\n`).join(''), {
    headers: more ? { link: '<https://elsewhere.example/>; rel="next"' } : {},
  })

describe('directory export', () => {
  const run = (answer: (sent: Sent, n: number) => Response, options = '') =>
    directory(`export --from https://d.example${options}`, (sent, n) =>
      sent.url.includes('/rules?') ? Response.json({ rules: RULES, total: RULES.length }) : answer(sent, n - 1),
    )
  const rules = RULES.map((rule) => `${JSON.stringify({ rule })}\n`).join('')

  test('writes the lines of every page, and asks for the next by the last id', async () => {
    const { sent, code, stdout, stderr } = await run((_, n) =>
      n === 1 ? page([line('a'), line('b')], true) : page([line('c')]),
    )
    expect(sent.map(({ url }) => url)).toEqual([
      'https://d.example/v1/directory/rules?from=0&limit=1000',
      'https://d.example/v1/directory/export?limit=500',
      'https://d.example/v1/directory/export?limit=500&after=agent%3A%2F%2Fb',
    ])
    expect(sent[0]!.token).toBe('Bearer secret')
    expect([code, stdout]).toEqual([0, `${rules}${line('a')}\n${line('b')}\n${line('c')}\n`])
    expect(stderr).toBe('exporting from https://d.example\n3 cards and 2 rules exported from https://d.example\n')
  })

  test('--out writes a file, and nothing to stdout', async () => {
    const { stdout, saved } = await run(() => page([line('a')]), ' --out backup.jsonl')
    expect([stdout, new TextDecoder().decode(saved.get('backup.jsonl'))]).toEqual(['', `${rules}${line('a')}\n`])
  })

  test('the backup of a directory without cards contains its rules', async () => {
    expect(await run(() => page([]))).toMatchObject({ code: 0, stdout: rules })
  })

  test('writes nothing if the rules cannot be read: they belong to the backup', async () => {
    const refused = () => Response.json({ detail: 'This requires a token with the scope export' }, { status: 403 })
    const { code, stdout, sent } = await directory('export --from https://d.example', refused)
    expect([code, stdout, sent.length]).toEqual([3, '', 1])
  })

  test.each<[string, (sent: Sent, n: number) => Response]>([
    [
      'a page in the middle is missing',
      (_, n) => (n === 1 ? page([line('a')], true) : new Response('', { status: 500 })),
    ],
    ['the pages do not go on', () => page([line('a')], true)],
    ['a line has no id', () => page(['{"card": "e30"}'])],
    ['the token is wrong', () => Response.json({ detail: 'This takes the token of the operator' }, { status: 401 })],
  ])('writes nothing when %s: half a backup looks like a whole one', async (_, answer) => {
    const { code, stdout, stderr } = await run(answer)
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('error DOC-189')
  })
})

describe('directory import', () => {
  const answered = (stored: number, unchanged = 0, refused: unknown[] = []) =>
    Response.json({ lines: stored + unchanged + refused.length, stored, unchanged, refused })

  test('sends the lines with the token, and counts the outcomes', async () => {
    const files = { 'b.jsonl': `${line('a')}\n\n${line('b')}\n` }
    const { sent, code, stdout, stderr } = await directory(
      'import b.jsonl --to https://d.example',
      () => answered(1, 1),
      { files },
    )
    expect(sent).toEqual([
      { url: 'https://d.example/v1/directory/import', token: 'Bearer secret', body: `${line('a')}\n${line('b')}\n` },
    ])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe('importing to https://d.example\n1 stored, 1 unchanged, 0 refused at https://d.example\n')
  })

  test('sends rules to their own route, before the cards that follow them', async () => {
    const lines = [...RULES.map((rule) => JSON.stringify({ rule })), line('a'), '{"rule": 1', line('b')]
    const answer = ({ url }: Sent) => (url.endsWith('/rules') ? Response.json({ rules: [], entered: [] }) : answered(3))
    const { sent, code, stderr } = await directory('import b --to https://d.example', answer, {
      files: { b: lines.join('\n') },
    })
    expect(sent.map(({ url, token }) => [new URL(url).pathname, token])).toEqual([
      ['/v1/directory/rules', 'Bearer secret'],
      ['/v1/directory/import', 'Bearer secret'],
    ])
    expect(JSON.parse(sent[0]!.body)).toEqual({ rules: RULES })
    expect(sent[1]!.body).toBe(`${lines.slice(2).join('\n')}\n`)
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('3 stored, 0 unchanged, 0 refused at https://d.example; in force now: 2 rules'),
    ])
  })

  test('sends no card if the rules are refused', async () => {
    const refused = () => Response.json({ detail: 'This requires a token with the scope operate' }, { status: 403 })
    const files = { b: `${JSON.stringify({ rule: RULES[0] })}\n${line('a')}` }
    const { sent, code, stderr } = await directory('import b --to https://d.example', refused, { files })
    expect([sent.length, code]).toEqual([1, 3])
    expect(stderr).toContain('the scope operate')
  })

  test('reports a refused line at its number, counting blank lines', async () => {
    const files = { 'b.jsonl': `${line('a')}\n\n${line('b')}\n` }
    const answer = () => answered(1, 0, [{ line: 2, reason: 'nothing shows whose it is' }, { line: 99 }, 'odd'])
    const { code, stderr } = await directory('import b.jsonl --to https://d.example', answer, { files })
    expect(code).toBe(1)
    expect(stderr).toContain(
      'b.jsonl:3:1 error DOC-186 Not published\n  the directory refused it: nothing shows whose it is',
    )
  })

  test('goes on behind a line that is too long, and reports its number', async () => {
    const files = { b: `${line('a')}\n${'x'.repeat(1_000_001)}\n${line('b')}\n` }
    const { sent, code, stderr } = await directory('import b --to https://d.example', () => answered(2), { files })
    expect([sent.map(({ body }) => body), code]).toEqual([[`${line('a')}\n${line('b')}\n`], 1])
    expect(stderr).toContain('b:2:1 error DOC-114 Document too large\n  expected at most 1000000 bytes in a line')
  })

  test('goes on with the next file when one cannot be read', async () => {
    const { sent, code, stderr } = await directory('import gone b --to https://d.example', () => answered(1), {
      files: { b: line('b') },
    })
    expect([sent.length, code]).toEqual([1, 3])
    expect(stderr).toContain('cannot read gone')
  })

  test('sends at most 500 lines and less than a mebibyte at once', async () => {
    const many = Array.from({ length: 1001 }, (_, i) => line(`a${i}`))
    const large = Array.from({ length: 30 }, (_, i) => line(`b${i}`, 'A'.repeat(87_000)))
    const count = ({ body }: Sent) => answered(body.split('\n').length - 1)
    const files = { 'many.jsonl': many.join('\n'), 'large.jsonl': large.join('\r\n') }
    const { sent, stderr } = await directory('import many.jsonl large.jsonl --to https://d.example', count, { files })
    expect(sent.map(({ body }) => body.split('\n').length - 1)).toEqual([500, 500, 1, 11, 11, 8])
    expect(sent.every(({ body }) => body.length < 1 << 20)).toBe(true)
    expect(stderr).toContain('1031 stored')
  })

  test('waits if the directory is busy', async () => {
    const busy = new Response('{}', { status: 429, headers: { 'retry-after': '3' } })
    const { code, waited } = await directory(
      'import b --to https://d.example',
      (_, n) => (n === 1 ? busy : answered(1)),
      {
        files: { b: line('a') },
      },
    )
    expect([code, waited]).toEqual([0, [3000]])
  })
})

test.each([
  ['directory', ENV, 'expected approve, block, export, import, list, remove, got nothing'],
  ['directory exprot', ENV, 'did you mean export?'],
  ['directory export', ENV, 'needs --server URL'],
  ['directory export x --from https://d.example', ENV, 'takes no arguments'],
  ['directory export --from https://d.example', {}, 'BLAZON_TOKEN'],
  ['directory export --from http://d.example', ENV, 'expected https'],
  ['directory import --to https://d.example', ENV, 'expected a FILE'],
])('%s with %j is wrong usage', async (argv, env, words) => {
  const { code, stderr } = await blazon(argv.split(' '), { env })
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})
