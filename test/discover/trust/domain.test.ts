import { domainToASCII, domainToUnicode } from 'node:url'
import { expect, test } from 'vitest'
import { resolveDns } from '../../../bindings/discover/dns/lookup.ts'
import { decodeMessage } from '../../../bindings/discover/dns/message.ts'
import { decodePunycode, readAgentDomain } from '../../../bindings/discover/trust/domain.ts'
import { processorTime } from '../../support/effort.ts'
import { random } from '../../support/random.ts'

// The expected forms are those of Node.
test.each([
  'bücher.example',
  'BÜCHER.example',
  'münchen.straße.example',
  '例え.テスト',
  'ελλάδα.example',
  'правда.example',
  '👍.example',
  'a.example',
])('%s in both forms', (domain) => {
  const ascii = domainToASCII(domain)
  const both = { ascii, unicode: domainToUnicode(ascii) }
  expect(readAgentDomain(domain)).toEqual(both)
  expect(readAgentDomain(`agent:${ascii}`)).toEqual(both)
})

test('asks the DNS in ASCII for a name in its own letters', async () => {
  const asked: string[] = []
  const silent = async (question: Uint8Array) => {
    asked.push(decodeMessage(question).questions[0]!.name)
    return new Uint8Array(0)
  }
  const resolver = Object.assign(silent, { isPrivate: false })
  for (const name of ['Bücher.example', '_agent.bücher.example.']) await resolveDns(name, 'TXT', { resolver })
  expect(asked).toEqual(['xn--bcher-kva.example', '_agent.xn--bcher-kva.example'])
  const none = await resolveDns('bücher@example', 'TXT', { resolver })
  expect(none.ok ? undefined : none.diagnostic.code).toBe('DNS-108')
})

test.each(['xn--a.example', 'xn--99999999999.example', 'xn--ls8h=.example', 'xn--.example'])('refuses %s', (domain) => {
  expect(() => readAgentDomain(domain)).toThrow(TypeError)
})

test('decodes every letter like Node', () => {
  const next = random(7)
  const letters = ['a', 'b', '-', 'ü', 'ж', '例', '👍', 'é', '0']
  for (let i = 0; i < 2000; i++) {
    const label = Array.from(
      { length: 1 + Math.floor(next() * 12) },
      () => letters[Math.floor(next() * letters.length)],
    ).join('')
    const ascii = domainToASCII(label)
    if (!ascii.startsWith('xn--')) continue
    expect(decodePunycode(ascii.slice(4)), ascii).toBe(domainToUnicode(ascii))
  }
})

test('decodes any label quickly', () => {
  const next = random(3)
  const begin = processorTime()
  for (let i = 0; i < 5000; i++) {
    decodePunycode(
      Array.from({ length: 59 }, () => '-0123456789abcdefghijklmnopqrstuvwxyz'[Math.floor(next() * 37)]).join(''),
    )
  }
  for (const label of ['9'.repeat(1000), 'a'.repeat(1000), '-'.repeat(1000), 'z9'.repeat(500)]) decodePunycode(label)
  expect(processorTime() - begin).toBeLessThan(2000)
})
