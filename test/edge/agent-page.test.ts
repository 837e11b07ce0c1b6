// What the page of a published agent says about its signature.
import { sign } from 'blazon/adl'
import { parse } from 'blazon/document'
import { generateKey } from 'blazon/keys'
import { expect, test } from 'vitest'
import { agentPage } from '../../edge/agents/page.ts'
import { HOSTILE, invisibleIn } from '../support/hostile.ts'

const AGENT = {
  adl_spec: '0.1.0',
  name: 'Scout',
  description: 'Finds what was asked for.',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
}

const page = (text: string) => agentPage(parse(text).document!, 'https://agents.example.com/agents/scout')

test('says whether the signature is valid, and links to the first page', async () => {
  const text = JSON.stringify(AGENT)
  const { bytes } = await sign(text, await generateKey(), { embedKey: true })
  const signed = new TextDecoder().decode(bytes)
  const { cryptographic_identity: _, ...keyless } = JSON.parse(signed) as Record<string, unknown>
  expect(await page(text)).toContain('<dt>Signature</dt><dd>none</dd>')
  expect(await page(signed)).toContain('<dt>Signature</dt><dd>valid: ')
  expect(await page(signed.replace('Finds', 'Loses'))).toContain('<dt>Signature</dt><dd>invalid: ')
  expect(await page(JSON.stringify(keyless))).toContain('<dt>Signature</dt><dd>not verifiable: ')
  expect(await page(text)).toContain('<a href="/">Blazon</a>')
})

test('shows hidden characters of every text as visible ones, and has none that HTML forbids', async () => {
  const texts = { name: HOSTILE, description: `Finds\n\t${HOSTILE}` }
  const hostile = {
    ...AGENT,
    ...texts,
    provider: { name: HOSTILE },
    lifecycle: { status: HOSTILE, successor: HOSTILE },
    data_classification: { sensitivity: 'public', categories: [HOSTILE] },
    tools: [texts],
    permissions: { network: { allowed_hosts: [HOSTILE] } },
  }
  const html = await page(JSON.stringify(hostile))
  expect(invisibleIn(html)).toEqual([])
  expect(html).toContain('<h1>&lt;b&gt;\u241b[2J')
})

test('says that an attestation with a valid signature has expired', async () => {
  const attestation = { type: 'self', issued_at: '2020-01-01T00:00:00Z', expires_at: '2021-01-01T00:00:00Z' }
  const agent = { ...AGENT, security: { attestation } }
  const { bytes } = await sign(JSON.stringify(agent), await generateKey(), { embedKey: true })
  expect(await page(new TextDecoder().decode(bytes))).toMatch(
    /<dt>Signature<\/dt><dd>valid: [^<]*; expired: [^<]*2021-01-01T00:00:00Z/,
  )
})

test('lists permissions by the same verification: none, unless the signature is valid', async () => {
  const { bytes } = await sign(JSON.stringify(AGENT), await generateKey(), { embedKey: true })
  const signed = new TextDecoder().decode(bytes)
  const { cryptographic_identity: _, ...keyless } = JSON.parse(signed) as Record<string, unknown>
  const nothing = '<tr><td>document</td><td>deny</td><td>everything<small>'
  expect(await page(JSON.stringify(AGENT))).not.toContain(nothing)
  expect(await page(signed)).not.toContain(nothing)
  expect(await page(signed.replace('Finds', 'Loses'))).toContain(`${nothing}the signature is not valid</small>`)
  expect(await page(JSON.stringify(keyless))).toContain(`${nothing}the document is signed, and its signature was not`)
})
