import { parseAs } from '../../frame/as.ts'
import { fileIn, type GivenFile, NeedError } from '../../frame/needs.ts'
import type { Proving } from '../../frame/signing.ts'
import type { Proof, Source } from '../../frame/source.ts'
import { verifyParsed } from '../../frame/verify.ts'
import { anchorsFromText, type TrustAnchors } from '../dns/dnssec/rdata.ts'
import { TRACE_READING } from './specification.ts'
import { TRACE_VERIFYING, type TraceOptions } from './verify.ts'

export declare namespace verify {
  type Options = TraceOptions
}

/**
 * Judges the trace of a discovery again, and lists what only its recorder vouches for.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { id: 'agent:alice.example.com' } })
 *
 * @throws {KeyError} for an invalid expected key, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: verify.Options = {}): Promise<Proof> {
  return verifyParsed(TRACE_VERIFYING, parseAs(TRACE_READING, source, options), options)
}

/** A trace is replayed, which needs all code of the discovery. */
export const TRACE_PROVING: Proving = {
  kind: 'trace',
  optionsOf(given): TraceOptions {
    const anchors = fileIn(given, 'anchors')
    return anchors === undefined ? {} : { anchors: anchorsIn(anchors) }
  },
  prove: (source, options) => verify(source as Source, options),
}

function anchorsIn({ file, bytes }: GivenFile): TrustAnchors {
  try {
    return anchorsFromText(new TextDecoder().decode(bytes))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const hint = 'as in ". IN DS 20326 8 2 E06D44B8…"'
    throw new NeedError('anchors', `${file}: ${error.message}`, { code: 'invalid-value', hint })
  }
}
