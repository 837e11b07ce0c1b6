// The certificates in a stream: whether its record belongs to them, and whether their key may sign its checkpoints.

import { canonicalizeValue } from '../../core/value.ts'
import type { Proof } from '../../frame/source.ts'
import { Steps, type StepTable } from '../../frame/steps.ts'
import { decodeBase64, KeyError } from '../../keys/base64.ts'
import { type Certificate, readCertificate } from '../../keys/certificate.ts'
import { verifyChain } from '../../keys/chain.ts'
import type { Key } from '../../keys/key.ts'
import { importKey } from '../../keys/platform.ts'
import { sameBytes } from '../../text/bytes.ts'
import { isText, type JsonObject } from '../../text/members.ts'
import { AIP_EXTENSIONS, readAgentCertificate } from '../aip/agent-certificate.ts'
import { AIP_RENEWAL, AIP_UNKNOWN } from '../aip/findings.ts'
import { GRACE_MS, linkUntil, otherHolder, type RunLinkOptions } from '../aip/link.ts'

const STEPS = {
  certificates: ['The certificates in the stream are of one key', 'docs/guide/runs.md'],
} as const satisfies StepTable<string>

/** The certificate of a run lives for 15 minutes, so these are enough for ten days. */
export const MOST_RENEWALS = 1_000
const MOST_CERTIFICATES = 4

/** What a stream says about its agent. */
export interface StreamIdentity {
  /** The record without its steps; undefined when its beginning was removed. */
  readonly record: JsonObject | undefined
  /** The member `chain` of the first line. */
  readonly chain: unknown
  /** The member `chain` of each later line with one. */
  readonly renewed?: readonly unknown[]
}

export interface StreamLinkage extends Proof {
  /** The key of the agent, if the record is linked to its certificate. */
  readonly key: Key | undefined
}

/**
 * Links a stream to the certificate that it has, or that the caller gives, by the caller's anchors. This checks no
 * signature; `verifyStream` does.
 *
 * @example
 * (await linkStream({ record: run, chain }, { anchors: [authority] })).verdict // 'verified'
 *
 * @throws {KeyError} for a malformed certificate in the options.
 */
export async function linkStream(
  { record, chain, renewed = [] }: StreamIdentity,
  { file = 'the stream', ...options }: RunLinkOptions = {},
): Promise<StreamLinkage> {
  const steps = new Steps(file, STEPS)
  if (record === undefined) {
    steps.unknown('certificates', 'the first line is missing, or its content was removed', {
      rule: AIP_UNKNOWN,
      pointer: '',
    })
    return { ...steps.proof(), key: undefined }
  }
  const own = chain === undefined ? [] : certificatesIn(chain)
  const certificate = options.certificate ?? own?.[0]?.bytes
  const issuers = options.chain ?? own?.slice(1).map(({ bytes }) => bytes) ?? []
  const first = options.certificate === undefined ? own?.[0] : readCertificate(options.certificate)
  const last = own === undefined ? 'the first line has a malformed chain' : await renewal(first, renewed, options)
  if (isText(last)) {
    steps.failed('certificates', last, { rule: AIP_RENEWAL, pointer: '' })
    return { ...steps.proof(), key: undefined }
  }
  steps.passed('certificates', `renewed ${renewed.length} times`)
  const given = { ...options, ...(certificate !== undefined && { certificate }), chain: issuers }
  const linked = await linkUntil(canonicalizeValue({ ...record, steps: [] }), given, last)
  const isLinked = linked.verdict === 'verified' && certificate !== undefined
  const key = isLinked ? await importKey(readCertificate(certificate).spki) : undefined
  return { ...linked, steps: [...steps.proof().steps, ...linked.steps], key }
}

/** The certificate that was valid last, or what is wrong with one of the renewed ones. */
async function renewal(
  first: Certificate | undefined,
  renewed: readonly unknown[],
  options: Omit<RunLinkOptions, 'file'>,
): Promise<Certificate | string | undefined> {
  if (renewed.length > MOST_RENEWALS) return `expected at most ${MOST_RENEWALS} renewals, found ${renewed.length}`
  let last = first
  for (const [i, list] of renewed.entries()) {
    const chain = certificatesIn(list)
    const fault = chain === undefined ? 'it is malformed' : await faultOfRenewal(chain, last, options)
    if (fault !== undefined) return `renewal ${i + 1}: ${fault}`
    last = chain![0]
  }
  return last
}

async function faultOfRenewal(
  chain: readonly [Certificate, ...Certificate[]],
  before: Certificate | undefined,
  { anchors = [], lenient = false }: Omit<RunLinkOptions, 'file'>,
): Promise<string | undefined> {
  const [leaf] = chain
  if (before === undefined || !sameBytes(leaf.spki, before.spki)) return 'it is of another key'
  if (leaf.notBefore.getTime() > before.notAfter.getTime() + GRACE_MS) return 'the one before had expired'
  const [own, old] = await Promise.all([leaf, before].map(({ bytes }) => readAgentCertificate(bytes, { lenient })))
  const wrong = own!.diagnostics.find(({ severity }) => severity === 'error')
  if (wrong !== undefined) return wrong.detail
  const other = own!.agent && old!.agent && otherHolder(own!.agent, old!.agent)
  if (other !== undefined) return other
  const result = await verifyChain({ chain, anchors, at: leaf.notBefore, understood: AIP_EXTENSIONS })
  return result.ok ? undefined : result.reason
}

/** The certificates in a list of base64; undefined for anything else. */
function certificatesIn(list: unknown): readonly [Certificate, ...Certificate[]] | undefined {
  if (!Array.isArray(list) || !list.every(isText) || list.length > MOST_CERTIFICATES) return undefined
  try {
    const [first, ...others] = list.map((text) => readCertificate(decodeBase64(text)))
    return first && [first, ...others]
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}
