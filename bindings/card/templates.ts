// Starter cards for `blazon init` and the page: complete and valid, with placeholders for what only the author knows.

import { Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import { descriptionOf, TOOL_DESCRIPTION, YOUR_SKILL } from '../frame/placeholders.ts'
import type { Proof, Source } from '../frame/source.ts'
import { findingAt } from '../frame/subject.ts'
import { slug } from '../text/words.ts'
import { CARD_DIFFERENT_PARTS } from './findings.ts'
import type { VerifyOptions } from './signing.ts'
import { type AgentCard, CARD_READING, type Card } from './subject.ts'
import { verify } from './verbs.ts'

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

// Assembles a card that is too large for one response from several (Agent Card section 7.6).

export declare namespace describeAll {
  /** Calls adp.describe with these fields and returns the agent's response. */
  type Describe = (fields: readonly string[]) => Promise<Source | DescribedPart>

  interface Options extends VerifyOptions {
    /** Members that the draft does not define. Each is requested in a call of its own. */
    readonly others?: readonly string[]
    /** How often to start again when the card changes between two calls. Default 3. */
    readonly attempts?: number
  }

  interface Result {
    /** The assembled card; undefined when a diagnostic is an error. It lacks members that were not requested. */
    readonly document: Document | undefined
    /**
     * The proof for the whole card. It is `failed` if a member was not requested, because the signature covers every
     * member.
     */
    readonly proof: Proof | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
}

export interface DescribedPart {
  readonly card: Source
  /** The signature of the whole card, if it comes next to the part instead of inside it. */
  readonly signature?: string
}

/** Small members share one call. Each response also has seq, which shows whether the card has changed. */
const SMALL = ['did', 'version', 'description', 'skills', 'constraints', 'metadata', 'signature']
const LARGE = ['tools', 'endpoints', 'extensions']

/**
 * Fetches the whole card of an agent with several calls of adp.describe, and verifies it at the end.
 *
 * @example
 * const { document, proof } = await describeAll((fields) => ask('adp.describe', { fields }), { resolver })
 *
 * @throws {TypeError} for wrong arguments, and any error that `describe` rejects with.
 */
export async function describeAll(
  describe: describeAll.Describe,
  options: describeAll.Options = {},
): Promise<describeAll.Result> {
  const { others = [], attempts = 3, ...verifying } = options
  if (typeof describe !== 'function') throw new TypeError(`describe: expected a function, got ${typeof describe}`)
  const calls = [SMALL, ...LARGE.map((name) => [name]), ...others.map((name) => [name])]
  for (let attempt = 1; ; attempt++) {
    const parts = new Parts()
    let wrong: readonly Diagnostic[] = []
    for (const fields of calls) {
      wrong = parts.add(await describe([...fields, 'seq']))
      if (wrong.length > 0) break
    }
    if (wrong.length === 0) return parts.whole(verifying)
    if (attempt >= attempts || !wrong.some(({ code }) => code === CARD_DIFFERENT_PARTS.code)) {
      return { document: undefined, proof: undefined, diagnostics: wrong }
    }
  }
}

/** Collects the members of a card from its parts, each as it was written. */
class Parts {
  readonly #members = new Map<string, string>()
  #first: Card | undefined

  /** Adds a part. Returns the reasons if it does not match the earlier parts. */
  add(answer: Source | DescribedPart): readonly Diagnostic[] {
    const { card: source, signature } = isPart(answer) ? answer : { card: answer, signature: undefined }
    const { subject: card, diagnostics } = readAs(CARD_READING, source)
    if (card === undefined) return diagnostics
    this.#first ??= card
    const { id, seq, document } = card
    if (id?.value !== this.#first.id?.value || seq?.value !== this.#first.seq?.value) {
      const detail = 'expected the id and seq of the parts before, found others'
      return [findingAt(document, CARD_DIFFERENT_PARTS, '', detail)]
    }
    const { tape } = document
    for (const name of tape.children(0)) this.#members.set(tape.source(name), tape.source(name + 1))
    if (signature !== undefined) this.#members.set('"signature"', JSON.stringify(signature))
    return []
  }

  async whole(options: VerifyOptions): Promise<describeAll.Result> {
    const members = Array.from(this.#members, ([name, value]) => `${name}:${value}`)
    const { document, diagnostics } = parse(`{${members.join(',')}}`, { maxDepth: 0xffffffff })
    if (document === undefined) return { document, proof: undefined, diagnostics }
    return { document, proof: await verify(document, options), diagnostics }
  }
}

function isPart(answer: Source | DescribedPart): answer is DescribedPart {
  return typeof answer === 'object' && !(answer instanceof Uint8Array) && !(answer instanceof Document)
}
