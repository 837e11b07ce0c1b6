// Every placeholder of a template is reported at its place, and no other document has such findings.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newDefinition, TEMPLATES, type TemplateName } from '../../bindings/adl/templates.ts'
import { newCard } from '../../bindings/card/templates.ts'
import { descriptionOf } from '../../bindings/frame/placeholders.ts'
import { validate } from '../../bindings/index.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { escapeToken, type JsonObject } from '../../bindings/text/members.ts'
import { build } from '../../bindings/wellknown/index.ts'
import { FORMS } from '../card/support.ts'

const now = new Date('2026-11-01T12:00:00Z')

/** The placeholders, as a reader of a template would find them. */
const MARKS = /^Says |^Tell the agent|[Yy]our[ -](?:company|team)|^your-skill$/

function marked(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return MARKS.test(value) ? [pointer] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => marked(part, `${pointer}/${escapeToken(name)}`))
}

function told(document: object): string[] {
  const { diagnostics } = validate(JSON.stringify(document), { now })
  return diagnostics.filter(({ rule }) => rule === 'placeholder').map(({ source }) => source.pointer)
}

describe('templates', () => {
  test.each(Object.keys(TEMPLATES) as TemplateName[])('definition: %s', (name) => {
    const made = newDefinition(name, 'Invoice agent', { now })
    expect(told(made).sort()).toEqual(marked(made).sort())
    expect(marked(made)).toContain('/description')
  })

  test.each(['minimal', 'tools'] as const)('card: %s', (name) => {
    const made = newCard(name, 'Invoice agent', { now })
    expect(told(made).sort()).toEqual(marked(made).sort())
    expect(marked(made)).toEqual(expect.arrayContaining(['/description', '/skills/0']))
  })

  test('card: only a card whose id is a key keeps the placeholder endpoint', () => {
    const made = newCard('minimal', 'Invoice agent', { now })
    const id = `agent://${FORMS['libp2p peer id in base32']}`
    const endpoints = (...uris: string[]) => uris.map((uri) => ({ protocol: 'aitp', uri, auth: 'aitp_signed' }))
    const told = (card: object) =>
      validate(JSON.stringify(card), { now })
        .diagnostics.filter(({ source }) => source.pointer.startsWith('/endpoints'))
        .map(({ code, source, fix }) => `${code} ${source.pointer} ${fix?.hint}`)
    for (const name of ['Invoice agent', 'Scout'])
      expect(told({ ...made, id, name })).toEqual([`CARD-149 /endpoints/0/uri write "${id}", the id of the card`])
    expect(told(made)).toEqual([])
    expect(told(newCard('minimal', 'Invoice agent', { now, id }))).toEqual([])
    expect(told({ ...made, id, endpoints: endpoints(id, `agent://${FORMS['libp2p peer id']}`) })).toEqual([])
    const [first] = endpoints('agent://invoice-agent')
    for (const own of [{ priority: 1 }, { auth: 'none' }, { uri: 'agent://a b' }])
      expect(told({ ...made, id, endpoints: [{ ...first, ...own }] }).join()).not.toContain('CARD-149')
  })

  test('metadata of an agent without a description', async () => {
    const of = newDefinition('tools', 'Invoice agent', { now })
    const key = await generateKey('Ed25519')
    for (const template of [of, { name: 'Invoice agent', description: descriptionOf('it') }]) {
      const { metadata } = await build({ domain: 'alice.example.com', key }, { of: template as JsonObject })
      expect(told(metadata!)).toEqual(marked(metadata))
      expect(marked(metadata)).toContain('/capabilities/0/description')
    }
  })

  test('each finding names what to write instead', () => {
    const source = JSON.stringify(newDefinition('production', 'Scout', { now }))
    const found = validate(source, { now }).diagnostics.filter(({ rule }) => rule === 'placeholder')
    expect(found.length).toBeGreaterThan(8)
    for (const { fix, severity, detail, source } of found) {
      expect(severity).toBe('warning')
      expect(fix!.hint).toMatch(/^write \w/)
      // Output formats without hints need that text as well, with the name of the member.
      const [name, owner] = source.pointer.split('/').reverse()
      expect(detail).toContain(`: ${fix!.hint} instead`)
      expect(detail).toContain(/^\d+$/.test(name!) ? `Item ${name} of '${owner}'` : `Member '${name}'`)
    }
  })
})

describe('similar texts are not placeholders', () => {
  const TEXTS = [
    'Says in a sentence or two what Scout does, for whom, and what it does not do. It finds papers.',
    'Says what this tool does.',
    'your company',
    'https://not-your-company.example',
    'https://your-company.example.com',
    'your-skill-two',
  ]

  test.each(TEXTS)('%s', (description) => {
    expect(told({ id: 'agent://scout', name: 'Scout', description, skills: [description] })).toEqual([])
  })

  test('the fixtures contain no placeholder', () => {
    const files = readdirSync('fixtures', { recursive: true, encoding: 'utf8' })
    const documents = files.filter((file) => /^(?:adl|card)\/[^/]+\.(?:json|yaml)$/.test(file))
    expect(documents.length).toBeGreaterThan(1)
    for (const file of documents) {
      const { diagnostics } = validate(readFileSync(`fixtures/${file}`), { now })
      expect(diagnostics.filter(({ rule }) => rule === 'placeholder')).toEqual([])
    }
  })

  test('ignores a placeholder at a place where templates have none', () => {
    const base = newDefinition('minimal', 'Scout', { now })
    expect(told({ ...base, description: 'Finds papers, and says why.', x_acme: { note: 'Your company' } })).toEqual([])
  })
})
