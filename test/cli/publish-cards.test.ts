import { describe, expect, test } from 'vitest'
import { blazon, type Setting } from './terminal.ts'

const card = (id: string, more: object = {}) => JSON.stringify({ id: `agent://${id}`, name: id, ...more })

const files = {
  'cards/a.json': card('a'),
  'cards/b.yaml': 'id: agent://b # not sent\nname: b\n',
  'cards/notes.json': '{"notes": []}',
}
const stored = (reason: string, more: object = {}) => Response.json({ stored: true, reason, diagnostics: [], ...more })

interface Sent {
  readonly url: string
  readonly method: string
  readonly token: string | null
  readonly body: string
}

/** Publishes to a directory with the given answers; returns what was sent. */
async function publish(line: string, answer: (sent: Sent, n: number) => Response, setting: Setting = {}) {
  const sent: Sent[] = []
  const server = async (request: Request) => {
    const { url, method, headers } = request
    const one = { url, method, token: headers.get('authorization'), body: await request.text() }
    sent.push(one)
    return answer(one, sent.length)
  }
  const argv = ['publish', ...line.split(' '), '--to', 'https://d.example']
  return { sent, ...(await blazon(argv, { server, ...setting, files: { ...files, ...setting.files } })) }
}

describe('publish for cards', () => {
  test('sends each card of a folder to adp.advertise, in JSON, and reports the outcome', async () => {
    const { sent, code, stdout, stderr } = await publish('cards', () => stored('first'), {
      env: { BLAZON_TOKEN: 'secret' },
    })
    expect(sent).toEqual([
      { url: 'https://d.example/adp/advertise', method: 'POST', token: null, body: files['cards/a.json'] },
      { url: 'https://d.example/adp/advertise', method: 'POST', token: null, body: '{"id":"agent://b","name":"b"}' },
    ])
    expect([code, stdout]).toEqual([0, 'agent://a\tfirst\nagent://b\tfirst\n'])
    expect(stderr).toBe(
      'publishing to https://d.example\n2 of 2 published at https://d.example; cards: 2 stored; 1 of another kind\n',
    )
  })

  test('sends the token with cards only if the operator vouches for them', async () => {
    const { sent } = await publish('cards/a.json --vouch', () => stored('first'), { env: { BLAZON_TOKEN: 'secret' } })
    expect(sent[0]!.token).toBe('Bearer secret')
    const without = await publish('cards/a.json --vouch', () => stored('first'))
    expect([without.code, without.sent]).toEqual([2, []])
  })

  test('accepts a card that the directory has, and distinguishes older ones from those of others', async () => {
    const { code, stdout, stderr } = await publish('cards', ({ body }) =>
      Response.json({ stored: false, reason: body.includes('agent://a') ? 'equal' : 'older' }),
    )
    expect([code, stdout]).toEqual([1, 'agent://a\tequal\n'])
    expect(stderr).toContain('cards/b.yaml:1:1 error DOC-186')
    expect(stderr).toContain('the directory keeps its current card: older')
    expect(stderr).toContain('1 of 2 published at https://d.example; cards: 1 unchanged, 1 not stored (older)')
  })

  test('quotes the refusal of the directory, and sends the other cards', async () => {
    const refuse = () =>
      Response.json({ status: 'UNAUTHORIZED', diagnostics: [{ detail: 'not\x1bshown' }] }, { status: 403 })
    const { code, stdout, stderr } = await publish('cards', ({ body }) =>
      body.includes('agent://a') ? refuse() : stored('newer'),
    )
    expect([code, stdout]).toEqual([1, 'agent://b\tnewer\n'])
    expect(stderr).toContain('the directory answers 403: not␛shown')
  })

  const KEY_ID = '12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV'

  test.each([
    ['has a name and no signature', card('a'), 'use the id of your key and sign the card'],
    ['has a name and is signed', card('a', { signature: 'A'.repeat(86) }), 'use the id of your key and sign the card'],
    ['has an id that is the key, and no signature', card(KEY_ID), 'sign it: blazon sign FILE --key KEY --out FILE'],
    ['has a signature that does not hold', card(KEY_ID, { signature: 'A'.repeat(86) }), 'sign it again'],
  ])('a refused card without proof that %s gets a fitting hint', async (_, text, way) => {
    const refuse = () => Response.json({ status: 'UNAUTHORIZED' }, { status: 403 })
    const { code, stderr } = await publish('one.json', refuse, { files: { 'one.json': text } })
    expect(code).toBe(1)
    const ways = ['use the id of your key', 'sign it: blazon sign', 'sign it again']
    const words = stderr.replaceAll(/\s+/g, ' ')
    expect(words).toContain(way)
    expect(ways.filter((other) => words.includes(other))).toHaveLength(1)
  })

  test('[card/7.6-1] does not send an invalid card', async () => {
    const large = { 'large.json': card('x', { description: 'x'.repeat(65_535) }), 'bad.json': card('x', { name: 7 }) }
    const { sent, code } = await publish('large.json bad.json', () => stored('first'), { files: large })
    expect([code, sent]).toEqual([1, []])
  })

  test('asks a busy directory again after the time that it names', async () => {
    const busy = (after?: string) =>
      new Response('{}', { status: 429, ...(after && { headers: { 'retry-after': after } }) })
    const { code, stdout, waited } = await publish('cards/a.json', (_, n) =>
      n === 1 ? busy('7') : n === 2 ? busy() : n === 3 ? busy('120') : stored('first'),
    )
    expect([code, stdout]).toEqual([0, 'agent://a\tfirst\n'])
    expect(waited).toEqual([7000, 2000, 120_000])
  })

  test('does not wait for a directory that is busy until tomorrow', async () => {
    const busy = () => new Response('{}', { status: 429, headers: { 'retry-after': '80000' } })
    const { sent, waited, code } = await publish('cards/a.json', busy)
    expect([sent.length, waited, code]).toEqual([1, [], 1])
  })

  test('gives up on a directory that stays busy', async () => {
    const { sent, code, stderr } = await publish('cards/a.json', () => new Response('{}', { status: 503 }))
    expect([sent.length, code]).toEqual([6, 1])
    expect(stderr).toContain('the directory answers 503')
  })

  test('reports a server that is not a directory', async () => {
    const { code, stderr } = await publish('cards/a.json', () => new Response('<html>'))
    expect(code).toBe(1)
    expect(stderr).toContain('the directory answers 200')
  })

  test('needs the token if a definition is among the files', async () => {
    const definition = { 'cards/agent.adl.json': '{"adl_spec": "0.1.0"}' }
    const { code, sent, stderr } = await publish('cards', () => stored('first'), { files: definition })
    expect([code, sent]).toEqual([2, []])
    expect(stderr).toContain('BLAZON_TOKEN')
    const plain = await publish('plain.json', () => stored('first'), {
      files: { 'plain.json': '{"adl_spec": "0.1.0"}' },
    })
    expect([plain.code, plain.sent]).toEqual([1, []])
  })

  test('shows progress on a terminal', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`many/${i}.json`, card(`n${i}`)]))
    const { stderr } = await publish('many', () => stored('first'), { files: many, tty: true, tick: 400 })
    expect(stderr).toContain('published 16 of 20')
    expect(stderr).toContain('20 of 20 published')
  })
})
