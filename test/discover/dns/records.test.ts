// Reads the records of an agent: choosing, joining, refusing. Expected values come from the draft, RFC 2782, 9460 and
// 6698.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readAdpTxts } from '../../../bindings/discover/dns/adp-txt.ts'
import { chooseSrv, chooseSvcb, serviceOf } from '../../../bindings/discover/dns/service.ts'
import { matchingTlsa, usableTlsa } from '../../../bindings/discover/dns/tlsa.ts'
import { svcbFromText } from '../../../bindings/discover/dns/zone-text.ts'
import { certificateFor, derOf, newAuthority, spki } from '../../support/certificate.ts'
import { processorTime } from '../../support/effort.ts'

const OWNER = 'alice.example.com'
const never = () => {
  throw new Error('a lot was drawn')
}
const code = (run: () => unknown) => {
  try {
    return run()
  } catch (error) {
    return (error as { kind?: { code: string } }).kind?.code ?? error
  }
}

describe('SVCB', () => {
  const choose = (texts: readonly string[], draw: () => number = never) =>
    code(() => chooseSvcb(texts.map(svcbFromText), OWNER, draw).target)

  test('[wellknown/4.1-1] chooses the lowest priority, and at random among equals, in any order', () => {
    expect(choose(['2 b.test', '1 a.test', '3 c.test'])).toBe('a.test')
    const equals = ['1 c.test', '1 a.test', '2 z.test', '1 b.test']
    expect([0, 0.34, 0.99].map((lot) => choose(equals, () => lot))).toEqual(['a.test', 'b.test', 'c.test'])
    expect([0, 0.34, 0.99].map((lot) => choose(equals.toReversed(), () => lot))).toEqual(['a.test', 'b.test', 'c.test'])
  })
  test('prefers an alias to services (RFC 9460 section 2.4.2)', () => {
    expect(choose(['1 a.test', '0 b.test'])).toBe('b.test')
  })
  test.each([
    ['1 a.test mandatory=alpn,port alpn=h2 port=443', 'a.test'],
    ['1 a.test mandatory=key65402 bap=a2a', 'a.test'],
    ['1 a.test mandatory=KEY65409 Well-Known=agent.json', 'a.test'],
    ['1 a.test mandatory=key65404 realm=inside', 'DNS-121'],
    ['1 a.test mandatory=policy policy=https://a.test/', 'DNS-121'],
    ['1 a.test mandatory=key5 ech=AAAA', 'DNS-121'],
    ['1 a.test mandatory=key667 key667=x', 'DNS-121'],
  ])('[wellknown/4.1.1-1] %s', (text, expected) => expect(choose([text])).toBe(expected))
  test('skips an unsupported record, and uses the others', () => {
    expect(choose(['1 a.test mandatory=key667 key667=x', '2 b.test'])).toBe('b.test')
  })

  const service = (text: string) => code(() => serviceOf(svcbFromText(text), OWNER))
  test('[wellknown/4.1.1-2] defaults to the owner, 443, agent.json', () => {
    expect(service('1 .')).toEqual({
      target: OWNER,
      port: 443,
      wellKnown: 'agent.json',
      alpn: [],
      bap: undefined,
      cap: undefined,
    })
  })
  test('[wellknown/4.1.2-1] reads all explicit values', () => {
    const text = '1 provider.example.com. alpn="a2a,h2" port=8443 bap=a2a well-known=agents/alice.json cap=urn:x'
    expect(service(text)).toEqual({
      target: 'provider.example.com',
      port: 8443,
      wellKnown: 'agents/alice.json',
      alpn: ['a2a', 'h2'],
      bap: 'a2a',
      cap: 'urn:x',
    })
  })
  test.each([
    '../../x',
    '/etc',
    'a//b',
    'a/../b',
    '..',
    '.',
    'a?b',
    'a#b',
    'a%2fb',
    'a\\\\b',
    '',
    'a b',
    '\\195\\164',
    '\\239\\187\\191agent.json',
    'a/...',
  ])('[wellknown/4.1.1-2] refuses well-known=%j', (path) => expect(service(`1 . well-known="${path}"`)).toBe('DNS-122'))
})

describe('SRV (RFC 2782)', () => {
  const row = (priority: number, weight: number, target: string) => ({ priority, weight, port: 443, target })
  test('[wellknown/5.2-1] chooses the lowest priority', () => {
    expect(chooseSrv([row(20, 9, 'b.test'), row(10, 0, 'a.test')], OWNER, never).target).toBe('a.test')
  })
  test('[wellknown/5.2-1] chooses in proportion to the weights; weight 0 is rarely chosen', () => {
    const rows = [row(1, 60, 'c.test'), row(1, 0, 'a.test'), row(1, 20, 'b.test')]
    // RFC 2782: running sums 0, 20, 80; a number from 0 to 80 is drawn.
    const counts = new Map<string, number>()
    for (let i = 0; i < 81; i++) {
      const { target } = chooseSrv(rows, OWNER, () => i / 81)
      counts.set(target, (counts.get(target) ?? 0) + 1)
    }
    expect(Object.fromEntries(counts)).toEqual({ 'a.test': 1, 'b.test': 20, 'c.test': 60 })
  })
  test('the root means that the service does not exist', () => {
    expect(code(() => chooseSrv([row(0, 0, '.')], OWNER, never))).toBe('DNS-123')
  })
})

describe('TXT', () => {
  const FP = 'ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk'
  const OTHER = 'ed25519:BuP9j9opu2CrWVV95h7bCuzbIxE0vjDnW0Vfjht5L6k'
  const WK = 'https://alice.example.com/.well-known/agent.json'
  const GOOD = `v=ADP1.1; pk=${FP}; wk=${WK}`
  const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  const read = (...texts: string[]) =>
    code(() =>
      readAdpTxts(
        texts.map((text) => [bytes(text)]),
        OWNER,
      ),
    ) as object

  test('[wellknown/5.1-1] [wellknown/5.1-2] [wellknown/5.1-3] [wellknown/5.1-4] members', () => {
    const text = `v=ADP1.1; pk=${FP}; wk=${WK}; alpn=a2a; port=8443; bap=a2a; other=x`
    const { records, joined } = readAdpTxts([[bytes(text.slice(0, 50)), bytes(text.slice(50))]], OWNER)
    expect(joined).toBe(0)
    expect(records).toEqual([
      { version: 'ADP1.1', fingerprint: FP, wellKnown: new URL(WK), alpn: 'a2a', port: 8443, bap: 'a2a' },
    ])
  })
  test('[wellknown/5.1-1] a semicolon at the end, and two in a row, begin no member', () => {
    expect(read(`${GOOD.replace('; ', '; ;')};`)).toEqual(read(GOOD))
  })
  test.each(['ADP1', 'ADP1.0', 'ADP1.1'])('[wellknown/5.1-1] v=%s', (version) => {
    expect(read(GOOD.replace('ADP1.1', version))).toMatchObject({ records: [{ version }] })
  })
  test.each(['ADP15', 'ADP1.2', 'ADP1.10', 'adp1.1', 'ADP', '', 'aid2', 'spf1'])(
    '[wellknown/5.1-1] v=%s is another’s',
    (version) => {
      expect(read(GOOD.replace('ADP1.1', version))).toEqual({ records: [], joined: 0 })
    },
  )
  test.each([
    ['no pk', `v=ADP1.1; wk=${WK}`],
    ['an empty pk', `v=ADP1.1; pk=ed25519:; wk=${WK}`],
    ['the draft’s own example, of 25 bytes', `v=ADP1.1; pk=ed25519:dGhpcyBpcyBhIHRlc3QgcHVibGljIGtleQ; wk=${WK}`],
    ['padding', `v=ADP1.1; pk=${FP}=; wk=${WK}`],
    ['a second pk', `${GOOD}; pk=${OTHER}`],
    ['a second v', `${GOOD}; v=ADP1.0`],
    ['no wk', `v=ADP1.1; pk=${FP}`],
    ['http', GOOD.replace('https', 'http')],
    ['a password', GOOD.replace('https://', 'https://a:b@')],
    ['an address', GOOD.replace('alice.example.com', '169.254.169.254')],
    ['an address of IPv6', GOOD.replace('alice.example.com', '[::1]')],
    ['this machine', GOOD.replace('alice.example.com', 'localhost')],
    ['javascript', GOOD.replace(WK, 'javascript:alert(1)')],
    ['port 0', `${GOOD}; port=0`],
    ['port 65536', `${GOOD}; port=65536`],
    ['no name', `${GOOD}; nothing`],
    ['a control character', `${GOOD}\u0000`],
    ['a letter beyond ASCII', `${GOOD}; x=\u00e4`],
    ['too much', `${GOOD}; x=${'x'.repeat(5000)}`],
  ])('[wellknown/5.1-2] [wellknown/5.1-3] refuses %s', (_, text) => expect(read(text)).toBe('DNS-130'))
  test.each(['a:secret@', ':secret@'])('does not quote the password of a URL: %s', (credentials) => {
    const text = GOOD.replace('https://', `https://${credentials}`)
    expect(() => readAdpTxts([[bytes(text)]], OWNER)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    )
  })
  test('[wellknown/5.1-5] reads each alone, next to SPF, AID and unknown records', () => {
    const beside = ['v=spf1 -all', 'v=aid2;u=https://x.test;p=mcp', 'google-site-verification=x', `pk=${OTHER}`]
    expect(read(...beside, GOOD)).toMatchObject({ records: [{ fingerprint: FP }], joined: 0 })
    expect(read(GOOD, ...beside)).toMatchObject({ records: [{ fingerprint: FP }], joined: 0 })
    expect(read(...beside)).toEqual({ records: [], joined: 0 })
  })
  test('[wellknown/5.1-5] continues a record of 255 bytes in the next one; alone it would name another domain', () => {
    const start = `v=ADP1.1; pk=${FP}; x=`
    const end = '; wk=https://alice.example.co'
    const first = `${start}${'x'.repeat(255 - start.length - end.length)}${end}`
    expect(first).toHaveLength(255)
    const rest = 'm/.well-known/agent.json'
    expect(read(first)).toMatchObject({ records: [{ wellKnown: new URL('https://alice.example.co/') }] })
    const whole = { records: [{ wellKnown: new URL('https://alice.example.com/.well-known/agent.json') }], joined: 2 }
    expect(read(first, rest)).toMatchObject(whole)
    expect(read('v=spf1 -all', first, rest)).toMatchObject(whole)
    // The pieces of several strings; the last string is full.
    const texts = [[bytes('v=ADP1.1; '), bytes(`${' '.repeat(10)}${first.slice(10)}`)], [bytes(rest)]]
    expect(code(() => readAdpTxts(texts, OWNER))).toMatchObject(whole)
    // In another order it cannot be joined. If two records may continue, nothing shows which one is meant.
    expect(read(rest, first)).toBe('DNS-130')
    expect(read(first, rest, first.replace(FP, OTHER), rest)).toBe('DNS-130')
    expect(read(first, first.replace(FP, OTHER))).toMatchObject({ joined: 0 })
  })
  test('[wellknown/5.1-5] a complete record of 255 bytes is not joined with unrelated records', () => {
    const end = `; wk=${WK}`
    const start = `v=ADP1.1; pk=${FP}; x=`
    const full = `${start}${'x'.repeat(255 - start.length - end.length)}${end}`
    expect(full).toHaveLength(255)
    const alone = { records: [{ wellKnown: new URL(WK) }], joined: 0 }
    for (const text of ['google-site-verification=x', 'MS=ms123; y', 'some words of somebody', '=', `pk=${OTHER}`]) {
      expect([text, read(full, text)]).toMatchObject([text, alone])
      expect([text, read(text, full)]).toMatchObject([text, alone])
    }
    // Cut inside a name or a value, with other records around and after it.
    const longer = `${full.replace(end, `${'x'.repeat(10)}${end}`)}; port=8443`
    for (const at of [255, 252])
      expect(
        read('MS=ms1', `${' '.repeat(255 - at)}${longer.slice(0, at)}`, 'MS=ms2', longer.slice(at), 'more'),
      ).toMatchObject({
        records: [{ wellKnown: new URL(WK), port: 8443 }],
        joined: 2,
      })
    // While a key changes, the other record stands alone.
    const two = read(
      full.replace(end, `${'x'.repeat(10)}${end}`).slice(0, 255),
      end.slice(-10),
      GOOD.replace(FP, OTHER),
    )
    expect(two).toMatchObject({ records: [{ wellKnown: new URL(WK) }, { fingerprint: OTHER }], joined: 2 })
  })
  test('[wellknown/5.1-5] joins three records if the first two have 255 bytes', () => {
    const whole = `v=ADP1.1; pk=${FP}; x=${'x'.repeat(400)}; wk=${WK}`
    const pieces = [whole.slice(0, 255), whole.slice(255, 510), whole.slice(510)] as const
    expect(read(...pieces, 'x')).toMatchObject({ records: [{ wellKnown: new URL(WK) }], joined: 3 })
    expect(read(pieces[1], pieces[0], pieces[2])).toBe('DNS-130')
  })
  test('[wellknown/5.1-5] pieces that cannot stand alone are joined without unrelated records', () => {
    expect(read(GOOD.slice(0, 60), 'google-site-verification=x', GOOD.slice(60))).toMatchObject({
      records: [{ wellKnown: new URL(WK) }],
      joined: 2,
    })
  })
  test('a broken record does not hide a valid one', () => {
    expect(read('v=ADP1.1; pk=x', GOOD)).toMatchObject({ records: [{ fingerprint: FP }] })
  })
  test('returns two keys in a fixed order', () => {
    const rows = [GOOD, GOOD.replace(FP, OTHER)]
    expect(read(...rows)).toEqual(read(...rows.toReversed()))
    expect(read(...rows)).toMatchObject({ records: [{ fingerprint: OTHER }, { fingerprint: FP }] })
  })
  test('[wellknown/5.1-5] joins pieces in order, once, without records of others', () => {
    const pieces = [GOOD.slice(0, 40), GOOD.slice(40)] as const
    expect(read('v=spf1 -all', pieces[0], pieces[1], 'v=aid2;u=x')).toMatchObject({
      records: [{ fingerprint: FP }],
      joined: 2,
    })
    expect(read(pieces[1], pieces[0])).toBe('DNS-130')
  })
  test('is fast', () => {
    const begin = processorTime()
    for (const text of [' '.repeat(65_000), `v=ADP1${' '.repeat(60_000)}`, '='.repeat(60_000), ';'.repeat(60_000)])
      read(text)
    expect(processorTime() - begin).toBeLessThan(500)
  })
})

describe('TLSA', () => {
  const authority = newAuthority()
  const certificate = certificateFor([OWNER], { issuer: authority })
  const chain = [certificate, authority].map((one) => Uint8Array.from(derOf(one)))
  const hash = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest()
  const data = (of: typeof authority, selector: number, matchingType: number) => {
    const bytes = selector === 0 ? derOf(of) : spki(of)
    return Uint8Array.from(matchingType === 0 ? bytes : hash(matchingType === 1 ? 'sha256' : 'sha512', bytes))
  }
  const rows = [0, 1, 2, 3].flatMap((usage) =>
    [0, 1].flatMap((selector) => [0, 1, 2].map((matchingType) => ({ usage, selector, matchingType }))),
  )
  test.each(rows)('[wellknown/4.2-2] usage $usage, selector $selector, matching type $matchingType', async (row) => {
    const [meant, other] = row.usage % 2 === 1 ? [certificate, authority] : [authority, certificate]
    const right = { ...row, data: data(meant, row.selector, row.matchingType) }
    const wrong = { ...row, data: data(other, row.selector, row.matchingType) }
    const foreign = { ...row, data: data(newAuthority(), row.selector, row.matchingType) }
    expect(await matchingTlsa([wrong, foreign, right], chain, {})).toBe(right)
    expect(await matchingTlsa([wrong, foreign], chain, {})).toBeUndefined()
    expect(await matchingTlsa([right], [], {})).toBeUndefined()
    expect(await matchingTlsa([{ ...right, data: right.data.subarray(1) }], chain, {})).toBeUndefined()
  })
  test('ignores records with unknown numbers', () => {
    const good = { usage: 3, selector: 1, matchingType: 1, data: new Uint8Array(32) }
    const odd = [
      { ...good, usage: 4 },
      { ...good, selector: 2 },
      { ...good, matchingType: 3 },
      { ...good, data: new Uint8Array(0) },
    ]
    expect(usableTlsa([...odd, good])).toEqual([good])
  })
  test('an Ed25519 certificate matches no other sort', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const record = {
      usage: 3,
      selector: 1,
      matchingType: 0,
      data: Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' })),
    }
    expect(await matchingTlsa([record], [record.data], {})).toBeUndefined()
  })
})
