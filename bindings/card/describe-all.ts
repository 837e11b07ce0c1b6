import { readAs } from '../frame/as.ts'
import { CARD_READING } from './reading.ts'
// A card that is too large for one answer, put together from several (Agent Card section 7.6).

import { Document } from '../document/document.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Proof } from '../frame/proof.ts'
import { ruleDiagnostic } from '../frame/rule.ts'
import type { Source } from '../frame/source.ts'
import type { Card } from './card.ts'
import { differentParts } from './lifecycle-findings.ts'
import { type VerifyOptions, verify } from './verify.ts'

/** Calls adp.describe for these fields, and gives the agent's answer. */
export type Describe = (fields: readonly string[]) => Promise<Source | DescribedPart>

export interface DescribedPart {
  readonly card: Source
  /** The signature of the whole card, where it stands beside the part and not in it. */
  readonly signature?: string
}

export interface DescribeAllOptions extends VerifyOptions {
  /** Members that the draft does not define, each asked for by itself. */
  readonly others?: readonly string[]
  /** The number of fresh starts when the card changes between two calls: 3 when absent. */
  readonly attempts?: number
}

export interface DescribedCard {
  /** The whole card, as far as its members are known; undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  /** Of the whole card. A member that nobody asked for makes it `failed`: the signature covers it. */
  readonly proof: Proof | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Small members are asked for together; seq comes along each time, to tell whether the card is still the same. */
const SMALL = ['did', 'version', 'description', 'skills', 'constraints', 'metadata', 'signature']
const LARGE = ['tools', 'endpoints', 'extensions']

/**
 * The whole card of an agent, by several calls of adp.describe, verified at the end.
 *
 * @example
 * const { document, proof } = await describeAll((fields) => ask('adp.describe', { fields }), { resolver })
 *
 * @throws {TypeError} for wrong arguments, and whatever `describe` rejects with.
 */
export async function describeAll(describe: Describe, options: DescribeAllOptions = {}): Promise<DescribedCard> {
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
    if (attempt >= attempts || !wrong.some(({ code }) => code === differentParts.code)) {
      return { document: undefined, proof: undefined, diagnostics: wrong }
    }
  }
}

/** The members of a card as they come, each as it was written. */
class Parts {
  readonly #members = new Map<string, string>()
  #first: Card | undefined

  /** Adds a part, or gives the reasons that it does not go with those before. */
  add(answer: Source | DescribedPart): readonly Diagnostic[] {
    const { card: source, signature } = isPart(answer) ? answer : { card: answer, signature: undefined }
    const { subject: card, diagnostics } = readAs(CARD_READING, source)
    if (card === undefined) return diagnostics
    this.#first ??= card
    const { id, seq, document } = card
    if (id?.value !== this.#first.id?.value || seq?.value !== this.#first.seq?.value) {
      const detail = 'expected the id and seq of the parts before, found others'
      return [ruleDiagnostic(document, differentParts, 'error', '', detail)]
    }
    const { tape } = document
    for (const name of tape.children(0)) this.#members.set(tape.source(name), tape.source(name + 1))
    if (signature !== undefined) this.#members.set('"signature"', JSON.stringify(signature))
    return []
  }

  async whole(options: VerifyOptions): Promise<DescribedCard> {
    const members = Array.from(this.#members, ([name, value]) => `${name}:${value}`)
    const { document, diagnostics } = parse(`{${members.join(',')}}`, { maxDepth: 0xffffffff })
    if (document === undefined) return { document, proof: undefined, diagnostics }
    return { document, proof: await verify(document, options), diagnostics }
  }
}

function isPart(answer: Source | DescribedPart): answer is DescribedPart {
  return typeof answer === 'object' && !(answer instanceof Uint8Array) && !(answer instanceof Document)
}
