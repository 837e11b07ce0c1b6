import { describe, expect, test } from 'vitest'
import { exportKey } from '../../bindings/keys/index.ts'
import { KEY, KEY_ID, signedCard } from '../card/support.ts'
import { blazon, type Setting } from './terminal.ts'

const card = (id: string, more: object = {}) => JSON.stringify({ id: `agent://${id}`, name: id, ...more })

/** Signed by the key in its id. */
const OWN = await signedCard({ did: undefined, id: KEY_ID, name: 'Own', skills: ['nlp/translation'], seq: 3 })
/** Signed by a key that only a pin connects with its id. */
const NAMED = await signedCard({ did: undefined, id: 'agent://named', name: 'Named', skills: ['nlp'], seq: 3 })

const files = {
  'cards/contracts.json': card('contracts', { description: 'Translates contracts.', skills: ['nlp/translation'] }),
  'cards/weather.yaml': 'id: agent://weather\nname: weather\ndescription: Tells the weather.\nskills: [weather]\n',
  'cards/agent.json': '{"adl_spec": "0.1.0"}',
  'own/own.json': OWN,
  'trusted.pub': await exportKey(KEY.publicKey, 'pem'),
}

const search = (line: string, setting: Setting = {}) =>
  blazon(['search', ...line.split(' ')], { ...setting, files: { ...files, ...setting.files } })

const found = (stdout: string) => JSON.parse(stdout).results.map(({ found }: { found?: object }) => found)

describe('search in files', () => {
  // Table 11: tags 0.30 * 1, and the boost of a new agent, 0.1, by 0.20.
  test('ranks the cards of a folder, and skips other documents', async () => {
    const { code, stdout, stderr } = await search('--tag nlp --from cards')
    expect([code, stdout]).toEqual([0, '0.320000\tagent://contracts\tcontracts\tnlp/translation\tunverified\n'])
    expect(stderr).toBe('2 cards searched, 1 file of another kind\n')
  })

  test('searches the current folder by default, and joins the words of the query', async () => {
    const { stdout } = await search('the weather', { files: { 'x.json': '{"id": "agent://x", "name": "x"}' } })
    expect(stdout).toMatch(/^0\.\d{6}\tagent:\/\/weather\tweather\t\tunverified\n$/)
  })

  test('notes which words were searched instead of an unknown one', async () => {
    const { stdout, stderr } = await search('contrakts --from cards')
    expect(stdout).toContain('agent://contracts')
    expect(stderr).toContain('no card has "contrakts": searched contract…')
  })

  test('does not mention a valid signature, and drops a card with an invalid one', async () => {
    expect((await search('--tag nlp --from own')).stdout).toBe(`0.320000\t${KEY_ID}\tOwn\tnlp/translation\n`)
    const changed = OWN.replace('"Own"', '"Other"')
    const { code, stdout, stderr } = await search('--tag nlp --from bad', { files: { 'bad/a.json': changed } })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^bad\/a\.json:1:\d+ error CARD-15\d/)
  })

  test('reports invalid cards at their place, also in YAML, and searches the others', async () => {
    const broken = { 'cards/broken.yaml': 'id: agent://broken\nname: 7\n', 'cards/cut.card.json': '{"id"' }
    const { code, stdout, stderr } = await search('--tag nlp --from cards', { files: broken })
    expect([code, stdout.split('\t')[1]]).toEqual([1, 'agent://contracts'])
    expect(stderr).toMatch(/cards\/broken\.yaml:2:7 error CARD-/)
    expect(stderr).toContain('cards/cut.card.json:1:6 error')
  })

  test('reports a named file that is not a card', async () => {
    expect((await search('--tag nlp --from cards/agent.json')).stderr).toMatch(/cards\/agent\.json:1:1 error CARD-/)
    expect((await search('--tag nlp --from none.json')).code).toBe(3)
  })

  test('uses the newer of two cards of an agent', async () => {
    const older = {
      'two/a.json': card('a', { seq: 1, skills: ['x'] }),
      'two/b.json': card('a', { seq: 2, skills: ['y'] }),
    }
    const { code, stderr } = await search('--tag x --from two', { files: older })
    expect([code, stderr]).toEqual([1, '1 card searched\n'])
    const again = await search('--tag y --from two', { files: { ...older, 'two/c.json': older['two/a.json'] } })
    expect(again.stderr).toBe('1 card searched, 1 card not newer than another of the same agent\n')
  })

  test('--why shows each factor as a bar, --weights sets its weight', async () => {
    const { stdout, stderr } = await search('--tag nlp --tag law --from cards --why --weights tags=1,reputation=0')
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      '0.500000\tagent://contracts\tcontracts\tnlp/translation\tunverified',
      "  tags         ##########..........  0.500 = 1.000 * 0.500  1 of 2 tags match: 'nlp/translation'",
    ])
    expect(stdout.split('\n').length).toBe(7)
    expect(stderr).toContain('each bar is a factor from 0 to 1')
  })

  test('names of strangers cannot control the terminal', async () => {
    const evil = { 'evil/a.json': card('a', { name: '\x1b[2J\tgone', skills: ['nlp'] }) }
    const { stdout } = await search('--tag nlp --from evil', { files: evil })
    expect(stdout).toBe('0.320000\tagent://a\t␛[2J␉gone\tnlp\tunverified\n')
  })
})

describe('search in a directory', () => {
  const result = (text: string, more: object = {}) => ({
    agent_card: JSON.parse(text),
    score: 0.5,
    matched_tags: ['nlp'],
    ...more,
  })
  const asked: { url: string; body: unknown }[] = []
  const directory = (results: unknown) => async (request: Request) => {
    asked.push({ url: request.url, body: await request.json() })
    return Response.json({ results })
  }
  const from = (results: unknown, options = '') =>
    search(`words --tag nlp --limit 5 --from https://d.example${options}`, { server: directory(results) })

  test('announces the server, and sends the members of table 8', async () => {
    asked.length = 0
    const { code, stdout, stderr } = await from([result(OWN)])
    expect(asked).toEqual([
      { url: 'https://d.example/adp/discover', body: { tags: ['nlp'], query: 'words', limit: 5, explain: true } },
    ])
    expect([code, stdout]).toEqual([0, `0.500000\t${KEY_ID}\tOwn\tnlp\n`])
    expect(stderr).toBe('asking https://d.example\n1 card from https://d.example\n')
  })

  test('cuts a limit above the maximum, locally and on a server, and notes it', async () => {
    asked.length = 0
    const there = await search('words --limit 1000 --from https://d.example', { server: directory([result(OWN)]) })
    expect(asked).toMatchObject([{ body: { query: 'words', limit: 100 } }])
    const here = await search('--tag nlp --limit 1000 --from cards')
    for (const { code, stderr } of [there, here]) {
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining('a limit of 1000 is cut to 100: more results are not given at once\n'),
      ])
    }
  })

  test('shows a seq beyond 2^53 to the last digit', async () => {
    const large = (seq: string) =>
      card('large', { description: 'words', skills: ['nlp'] }).replace(/}$/, `,"seq":${seq}}`)
    const files = { 'large/a.json': large('9007199254740993'), 'large/b.json': large('9007199254740992') }
    const { stdout } = await search('words --from large --format json', { files })
    expect(stdout).toContain('"9007199254740993"')
    const sent = result(large('18446744073709551615'), { seq: '18446744073709551615' })
    const there = await search('words --unverified --from https://d.example --format json', {
      server: directory([sent]),
    })
    expect(there.stdout).toContain('"18446744073709551615"')
  })

  test('[card/3.2-3] drops cards whose signature is not valid, whatever the directory claims', async () => {
    const forged = result(OWN.replace('"Own"', '"Other"'), { standing: 'signature', verified: true })
    for (const options of ['', ' --unverified']) {
      const { code, stdout, stderr } = await from([forged, result(OWN)], options)
      expect([code, stdout.split('\t')[2]]).toEqual([0, 'Own'])
      expect(stderr).toContain('2 cards from https://d.example, 1 dropped: the signature is not valid')
    }
  })

  test('drops unverifiable cards unless --unverified is given', async () => {
    const results = [result(NAMED), result(card('unsigned'))]
    const without = await from(results)
    expect([without.code, without.stdout]).toEqual([1, ''])
    expect(without.stderr).toContain('2 dropped: they cannot be verified (--unverified shows them)')
    const { code, stdout } = await from(results, ' --unverified')
    expect([code, stdout.match(/\tunverified\n/g)?.length]).toEqual([0, 2])
    expect((await from(results, ' --key trusted.pub')).stdout).toBe('0.500000\tagent://named\tNamed\tnlp\n')
  })

  test('fetches the whole card for a partial one, and verifies it', async () => {
    const server = async (request: Request) => {
      if (request.url.endsWith('/adp/describe')) return new Response(OWN)
      return Response.json({ results: [{ ...result(JSON.stringify({ id: KEY_ID, name: 'Own' })), partial: true }] })
    }
    const { stdout } = await search('--tag nlp --from https://d.example --format json', { server })
    expect(found(stdout)).toMatchObject([{ verified: true, card: { seq: 3 } }])
  })

  test('counts malformed results, and uses the others', async () => {
    const odd = [
      7,
      null,
      {},
      { agent_card: [] },
      { agent_card: { id: 1, name: 'x' } },
      result(OWN, { why: [1, { factor: 2 }] }),
    ]
    const { code, stdout, stderr } = await from(odd, ' --why')
    expect([code, stdout.split('\n').length]).toEqual([0, 2])
    expect(stderr).toContain('5 dropped: not an Agent Card')
  })

  test.each<[string, () => Response, string]>([
    ['another status', () => Response.json({ detail: 'not\x1bhere' }, { status: 404 }), 'answers 404: not␛here'],
    ['no JSON', () => new Response('<html>'), 'answers 200'],
    [
      'an error of AITP',
      () => Response.json({ diagnostics: [{ detail: 'why' }] }, { status: 400 }),
      'answers 400: why',
    ],
  ])('%s is not a valid answer: exits 3', async (_, answer, words) => {
    const { code, stderr } = await search('x --from https://d.example', { server: answer })
    expect(code).toBe(3)
    expect(stderr).toContain(words)
  })

  test('exits 3 for an unreachable directory', async () => {
    const server = () => {
      throw new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    }
    const { code, stderr } = await search('x --from http://localhost:1', { server })
    expect(code).toBe(3)
    expect(stderr).toContain('http://localhost:1 cannot be reached: connect ECONNREFUSED')
  })
})

test.each([
  ['--from cards', 'found neither'],
  ['x --limit 0', 'search, limit: expected an integer from 1 to 100'],
  ['x --min-score 1.5', 'search, min_score: expected a number from 0 to 1'],
  ['x --min-score much', '--min-score: expected a number, got "much"'],
  ['x --weights tags=2', '--weights: expected FACTOR=NUMBER from 0 to 1, got "tags=2"'],
  ['x --weights colour=1', 'factors are tags, text, reputation, availability, rating'],
  ['x --from http://d.example', '--from: expected https'],
  ['x --from https://d.example/adp/discover', '--from: expected a server without a path'],
  ['x --from https://d.example --from cards', 'expected one directory, or files and folders'],
  ['x --from https://d.example --weights tags=1', 'a directory ranks with its own weights'],
  ['x --from cards --unverified', 'cards in files are always shown'],
])('search %s is wrong usage', async (line, words) => {
  const { code, stderr } = await search(line)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})
