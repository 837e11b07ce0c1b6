// An invalid Date compares as false with everything, so code that accepted one would let expired input pass.
import { describe, expect, test } from 'vitest'
import { renderPrompt } from '../../bindings/adl/prompt.ts'
import { approve } from '../../bindings/adl/records.ts'
import { buildMessage } from '../../bindings/agp/message.ts'
import { signRequest, verifyRequest } from '../../bindings/agp/tasks.ts'
import { verify as verifyMessageOfAgp } from '../../bindings/agp/verify.ts'
import { convert } from '../../bindings/convert/index.ts'
import { verify as verifyTrace } from '../../bindings/discover/trace/verbs.ts'
import { replay } from '../../bindings/discover/trace/verify.ts'
import { discover } from '../../bindings/discover/trust/discover.ts'
import { generateKey, signMessage, verifyMessage } from '../../bindings/keys/index.ts'
import { verify as verifyInvite } from '../../bindings/wellknown/invite/index.ts'
import example from '../../browser-demo/discover/example.json' with { type: 'json' }

const now = new Date(Number.NaN)
const key = await generateKey()
const request = { method: 'GET', url: 'https://a.example/', headers: new Headers() }
const trace = JSON.stringify(example.trace)
const DEFINITION = {
  adl_spec: '0.1.0',
  name: 'S',
  description: 'x',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
  prompts: [{ name: 'p', template: 'x' }],
}
const CARD = { id: 'agent://a', name: 'A', skills: ['nlp'] }

describe('an invalid Date is refused', () => {
  test.each<[string, () => unknown]>([
    ['verifyMessage', () => verifyMessage(request, { keyOf: () => key, components: ['@method'], now })],
    ['invitations', () => verifyInvite('{}', { now })],
    ['discover', () => discover('a.example', { resolver: (() => Promise.reject(new Error('asked'))) as never, now })],
    ['replay', () => replay(example.trace as never, { now })],
    ['traces', () => verifyTrace(trace, { now })],
    [
      'messages',
      () => verifyMessageOfAgp('{}', { key, expect: { from: 'agent:a.example', to: 'agent:b.example' }, now }),
    ],
    ['buildMessage', () => buildMessage({ from: 'agent:a.example', to: 'agent:b.example', content: 'x' }, { now })],
    ['signRequest', () => signRequest(request, { key, as: 'agent:a.example', now })],
    [
      'verifyRequest',
      () => verifyRequest(request, { body: new Uint8Array(), findPeer: () => Promise.reject(), now } as never),
    ],
    ['approve', () => approve(JSON.stringify(DEFINITION), { now })],
    ['renderPrompt', () => renderPrompt(JSON.stringify(DEFINITION), { prompt: 'p', now })],
    ['OASF records', () => convert(JSON.stringify(CARD), { to: 'oasf-record', now })],
  ])('by %s', async (_, work) => {
    await expect((async () => work())()).rejects.toThrow(new TypeError('now: expected a valid Date'))
  })

  test('by signMessage, which also refuses invalid numbers of seconds', async () => {
    const components = ['@method'] as const
    await expect(signMessage(request, key, { components, created: now })).rejects.toThrow(
      'created: expected a valid Date',
    )
    await expect(signMessage(request, key, { components, expires: now })).rejects.toThrow(
      'expires: expected a valid Date',
    )
    for (const name of ['mostSeconds', 'skewSeconds']) {
      for (const seconds of [Number.NaN, -1, '5']) {
        const options = { keyOf: () => key, components, [name]: seconds } as never
        await expect(verifyMessage(request, options)).rejects.toThrow(`${name}: expected a number of seconds`)
      }
    }
  })
})
