// Starter cards for `blazon init` and the page: complete and valid, with placeholders for what only the author knows.
import { descriptionOf, TOOL_DESCRIPTION, YOUR_SKILL } from '../frame/placeholders.ts'
import { slug } from '../text/words.ts'
import type { AgentCard } from './types.ts'

export type CardTemplateName = 'minimal' | 'tools'

const TOOLS = {
  tools: [
    {
      name: 'do_task',
      description: TOOL_DESCRIPTION,
      input_schema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
      },
      output_schema: { type: 'object', properties: { answer: { type: 'string' } } },
      idempotent: true,
    },
  ],
  constraints: { max_concurrent_tasks: 3, supported_languages: ['en'], rate_limit: '60/min' },
}

/** What each template adds to the members that all templates share. */
const TEMPLATES: Readonly<Record<CardTemplateName, Partial<AgentCard>>> = { minimal: {}, tools: TOOLS }

export interface CardOptions {
  readonly now: Date
  /** The id derived from the agent's key. Without it, the id is a plain name, which gives verifiers no key. */
  readonly id?: string | undefined
  /** Default, also when empty: a placeholder. */
  readonly description?: string | undefined
  readonly skills?: readonly string[]
}

/** Returns a card, dated now, for its author to complete and sign. */
export function newCard(
  template: CardTemplateName,
  name: string,
  { now, id = `agent://${slug(name, 'agent')}`, description = descriptionOf(name), skills = [] }: CardOptions,
): AgentCard {
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    id,
    name,
    description,
    version: '0.1.0',
    skills: skills.length === 0 ? [YOUR_SKILL] : skills,
    ...TEMPLATES[template],
    endpoints: [{ protocol: 'aitp', uri: id, auth: 'aitp_signed' }],
    metadata: { created_at: time, updated_at: time, ttl: 3600 },
    seq: 1,
  }
}
