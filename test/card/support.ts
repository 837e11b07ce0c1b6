import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sign } from '../../bindings/card/verbs.ts'
import type { Proof, StepOutcome } from '../../bindings/frame/source.ts'
import { importKey, type Key } from '../../bindings/keys/index.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

/** The key of RFC 8032 section 7.1, test 1. */
export const KEY: Key = await importKey(hex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'), {
  format: 'raw-private',
})

export const OTHER_KEY: Key = await importKey(new Uint8Array(32).fill(1), { format: 'raw-private' })

/** All names that encode this key (facts of discovery, made with node:crypto). */
export const FORMS = {
  'libp2p peer id': '12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV',
  'libp2p peer id in base36': 'k51qzi5uqu5dljtg5upm7x7ugan9lql3ewyknv4r4mhhkwzn8n7cnbd1unfwgq',
  'libp2p peer id in base32': 'bafzaajaiaejcbv22taayfmikw7kux7wtzfsaooqo4fzphwvgems26aq2nd3qoui2',
  'did:key': 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
  'multibase key': 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
} as const

/** An id that encodes the key. */
export const KEY_ID = `agent://${FORMS['libp2p peer id']}`

/** The complete example of section 3.9. */
export const EXAMPLE = {
  id: 'agent://translator-zh-en',
  did: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  name: 'translator-zh-en',
  description: 'Chinese-English bidirectional translation',
  version: '1.2.0',
  skills: ['nlp/translation', 'nlp/text-analysis', 'python'],
  tools: [
    {
      name: 'translate',
      description: 'Translate text between languages',
      input_schema: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          source_lang: { type: 'string', default: 'auto' },
          target_lang: { type: 'string' },
        },
        required: ['text', 'target_lang'],
      },
      output_schema: {
        type: 'object',
        properties: { translated: { type: 'string' }, confidence: { type: 'number' } },
      },
      streaming: false,
      idempotent: true,
    },
  ],
  endpoints: [
    { protocol: 'aitp', uri: 'agent://translator-zh-en', methods: ['translate', 'detect_language', 'glossary'] },
    { protocol: 'http+json', uri: 'https://api.example.com/translate/v1', auth: 'bearer', priority: 10 },
  ],
  constraints: {
    max_concurrent_tasks: 3,
    max_input_tokens: 100000,
    supported_languages: ['zh', 'en', 'ja'],
    rate_limit: '60/min',
  },
  metadata: { created_at: '2026-01-15T00:00:00Z', updated_at: '2026-03-24T12:00:00Z', ttl: 3600 },
} as const

/** Returns a signed card with these members. */
export async function signedCard(members: object = {}, key: Key = KEY): Promise<string> {
  const { bytes, diagnostics } = await sign(JSON.stringify({ ...EXAMPLE, seq: 1, ...members }), key)
  if (bytes === undefined) throw new Error(JSON.stringify(diagnostics))
  return new TextDecoder().decode(bytes)
}

/** The outcome of each step of a proof, by its name. */
export function outcomes({ steps }: Proof): Record<string, StepOutcome> {
  return Object.fromEntries(steps.map(({ name, outcome }) => [name, outcome]))
}

/** The verdict of a proof, then `code pointer` of each finding. */
export function told({ verdict, steps }: Proof): string[] {
  return [verdict, ...steps.flatMap(({ diagnostic: d }) => (d ? [`${d.code} ${d.source.pointer}`] : []))]
}

/** Shared data next to the project, like the suites. */
export function dataFile(...path: string[]): unknown {
  const folder = resolve(process.env['BLAZON_SUITES'] ?? '../shared/suites', '../data')
  return JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
}
