// How records and streams of runs are verified, from what a caller was asked for.
import { Document, parse } from '../document/parse.ts'
import { fileIn, filesIn, type GivenFile, NeedError, type NeedValues, textIn } from '../frame/needs.ts'
import type { ProofSource, Proving, VerifyOptions } from '../frame/signing.ts'
import type { Proof, Source } from '../frame/source.ts'
import { withOpenExpectations } from '../frame/steps.ts'
import { KeyError } from '../keys/base64.ts'
import { readCertificate } from '../keys/certificate.ts'
import { pemOrDer } from '../keys/read.ts'
import { link, type RunLinkOptions } from './identity/link.ts'
import { isGrowth, isLineProof, verifyGrowth, verifyLine } from './stream/proof-file.ts'
import { readPolicy } from './stream/trust.ts'
import { verifyStream } from './stream/verify.ts'

/** Proofs about streams are a few kilobytes; a stream may be of any size. */
const MOST_PROOF = 1 << 20

interface RunOptions extends VerifyOptions {
  readonly agent?: RunLinkOptions
}
type StreamOptions = RunOptions &
  Partial<verifyStream.Options> &
  Pick<verifyLine.Options & verifyGrowth.Options, 'line'>

export const RUN_PROVING: Proving = {
  kind: 'run',
  optionsOf: (given): RunOptions => ({ agent: agentIn(given) }),
  async prove(source, { agent, file, expect }: RunOptions) {
    const proof = await link(source as Source, { ...(file !== undefined && { file }), ...agent })
    return withOpenExpectations(proof, expect)
  },
}

export const STREAM_PROVING: Proving = {
  kind: 'stream',
  async optionsOf(given): Promise<StreamOptions> {
    const policy = fileIn(given, 'policy')
    const bytes = { checkpoints: 'checkpoints', openings: 'values', since: 'since', line: 'line' }
    const files = Object.entries(bytes).flatMap(([option, need]) => {
      const found = fileIn(given, need)?.bytes
      return found === undefined ? [] : [[option, found]]
    })
    const isLinked = given['certificate'] !== undefined || filesIn(given, 'anchor').length > 0
    return {
      ...Object.fromEntries(files),
      ...(policy !== undefined && { policy: await policyIn(policy) }),
      ...(isLinked && { agent: agentIn(given) }),
      partial: given['partial'] === true,
    }
  },
  async prove(source, { expect: { keys, ...others } = {}, ...options }: StreamOptions) {
    const own = { ...options, ...(keys !== undefined && { keys }) }
    return withOpenExpectations(await proveByForm(source, own), others)
  },
}

async function proveByForm(source: ProofSource, options: Omit<StreamOptions, 'expect'>): Promise<Proof> {
  const { checkpoints, since = checkpoints } = options
  const bytes = bytesOf(source)
  if (bytes !== undefined && isLineProof(bytes, options.file)) return verifyLine(bytes, options)
  if (bytes !== undefined && bytes.length <= MOST_PROOF && isGrowth(parse(bytes).document?.value))
    return verifyGrowth(bytes, { ...options, ...(since !== undefined && { since }) })
  const lines = bytes ?? (source as AsyncIterable<Uint8Array>)
  return verifyStream(lines, { ...options, checkpoints: checkpoints ?? new Uint8Array() })
}

function agentIn(given: NeedValues): RunLinkOptions {
  const certificate = fileIn(given, 'certificate')
  const [environment, audience] = [textIn(given, 'environment'), textIn(given, 'audience')]
  const chain = certificatesIn(given, 'chain')
  return {
    ...(certificate !== undefined && { certificate: pemOrDer(certificate.bytes) }),
    ...(chain.length > 0 && { chain }),
    anchors: certificatesIn(given, 'anchor'),
    lenient: given['lenient'] === true,
    ...(environment !== undefined && { environment }),
    ...(audience !== undefined && { audience }),
  }
}

function certificatesIn(given: NeedValues, need: 'chain' | 'anchor'): readonly Uint8Array[] {
  return filesIn(given, need).map(({ file, bytes }) => {
    try {
      return readCertificate(pemOrDer(bytes)).bytes
    } catch (error) {
      if (!(error instanceof KeyError)) throw error
      const hint = 'openssl x509 -in FILE -noout -text shows a certificate'
      throw new NeedError(need, `${file}: ${error.message} (${error.code})`, { code: 'unusable-certificate', hint })
    }
  })
}

async function policyIn({ file, bytes }: GivenFile) {
  const { policy, diagnostics } = await readPolicy(new TextDecoder().decode(bytes), file)
  if (policy !== undefined) return policy
  const [fault] = diagnostics
  const hint = 'as https://c2sp.org/tlog-policy describes it'
  throw new NeedError('policy', fault!.detail, { code: 'invalid-value', hint, found: { file, diagnostics } })
}

/** The bytes of a source that is there as a whole. */
function bytesOf(source: ProofSource): Uint8Array | undefined {
  if (source instanceof Document) return source.lines.bytes
  if (source instanceof Uint8Array) return source
  return typeof source === 'string' ? new TextEncoder().encode(source) : undefined
}
