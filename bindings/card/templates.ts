// A card to begin with, of `blazon init`: whole and valid, and meant to be changed.
import type { AgentCard } from './types.ts'

export type CardTemplateName = 'minimal' | 'tools'

const TOOLS = {
  tools: [
    {
      name: 'translate',
      description: 'Translates a text into another language.',
      input_schema: {
        type: 'object',
        properties: { text: { type: 'string' }, target_lang: { type: 'string', description: 'ISO 639-1' } },
        required: ['text', 'target_lang'],
      },
      output_schema: { type: 'object', properties: { translated: { type: 'string' } } },
      idempotent: true,
    },
  ],
  constraints: { max_concurrent_tasks: 3, supported_languages: ['zh', 'en'], rate_limit: '60/min' },
}

/** The parts that a card of a template has besides those that every card begins with. */
const TEMPLATES: Readonly<Record<CardTemplateName, Partial<AgentCard>>> = { minimal: {}, tools: TOOLS }

/** The agent:// URI of a name: `Invoice agent`, `agent://invoice-agent`. */
function idOf(name: string): string {
  const segment = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `agent://${segment === '' ? 'agent' : segment}`
}

/** A card, made now, that its author fills in and signs. */
export function newCard(template: CardTemplateName, name: string, now: Date): AgentCard {
  const id = idOf(name)
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    id,
    name,
    description: 'Translates texts between Chinese and English.',
    version: '0.1.0',
    skills: ['nlp/translation'],
    ...TEMPLATES[template],
    endpoints: [{ protocol: 'aitp', uri: id, auth: 'aitp_signed' }],
    metadata: { created_at: time, updated_at: time, ttl: 3600 },
    seq: 1,
  }
}
