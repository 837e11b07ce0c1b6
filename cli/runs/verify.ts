// What `blazon verify` does with run records and streams.
import type { Document } from '../../bindings/document/parse.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { link, type RunLinkOptions } from '../../bindings/runs/aip/link.ts'
import { verifyGrowth, verifyLine } from '../../bindings/runs/stream/proof-file.ts'
import { readPolicy } from '../../bindings/runs/stream/trust.ts'
import { verifyStream } from '../../bindings/runs/stream/verify.ts'
import type { Options, Tools, Values } from '../command.ts'
import { keySource } from '../keys.ts'
import { Unreadable } from '../outcome.ts'
import { bytesOf, type Readable } from '../reader.ts'
import { given } from '../usage.ts'
import { readCertificateFile } from './certificate.ts'
import { bytesIfThere, isProofName, nextTo } from './stream-files.ts'

type RunValues = Values<typeof RUN_OPTIONS>

/** Links records to the certificate of the command line. */
export async function linking(options: RunValues, tools: Tools): Promise<(document: Document) => Promise<Proof>> {
  const own = await agentOf(options, tools)
  return (document) => link(document, own)
}

async function agentOf(options: RunValues, tools: Tools): Promise<RunLinkOptions> {
  const { certificate, environment, audience, lenient } = options
  const read = async (option: 'chain' | 'anchor') => {
    const all = await Promise.all(options[option].map((name) => readCertificateFile(option, name, tools)))
    return all.map(({ bytes }) => bytes)
  }
  const chain = await read('chain')
  return {
    ...(certificate !== undefined && { certificate: keySource((await tools.reader.bytes(certificate)).bytes) }),
    ...(chain.length > 0 && { chain }),
    anchors: await read('anchor'),
    lenient,
    ...given({ environment, audience }),
  }
}

/** Verifies a stream with the checkpoints and values next to it, or the proof of one line. */
export async function verifyRunFile(
  name: string,
  keys: readonly Key[],
  options: RunValues,
  tools: Tools,
): Promise<Proof> {
  const { reader } = tools
  const { policy, since } = await trusting(options, tools)
  if (isProofName(name)) {
    const line = options.line === undefined ? undefined : (await reader.bytes(options.line)).bytes
    return verifyLine((await reader.bytes(name)).bytes, { file: name, keys, ...given({ policy, line }) })
  }
  const checkpoints = (await bytesIfThere(tools, nextTo(name, 'checkpoints'))) ?? new Uint8Array()
  const openings =
    options.values === undefined
      ? await bytesIfThere(tools, nextTo(name, 'salts'))
      : (await reader.bytes(options.values)).bytes
  const isLinked = options.certificate !== undefined || options.anchor.length > 0
  const agent = isLinked ? await agentOf(options, tools) : undefined
  const more = given({ openings, policy, since, agent })
  return verifyStream(bytesOf(reader, name), { file: name, checkpoints, keys, partial: options.partial, ...more })
}

/** Verifies the proof of a server that a stream grew. */
export async function verifyGrowthFile(
  { file, document }: Readable,
  keys: readonly Key[],
  options: RunValues,
  tools: Tools,
): Promise<Proof> {
  return verifyGrowth(document.bytes, { file, keys, ...given(await trusting(options, tools)) })
}

async function trusting({ policy, since }: RunValues, tools: Tools) {
  return {
    policy: policy === undefined ? undefined : await policyOf(policy, tools),
    since: since === undefined ? undefined : (await tools.reader.bytes(since)).bytes,
  }
}

async function policyOf(name: string, { reader }: Tools) {
  const { bytes, file } = await reader.bytes(name)
  const { policy, diagnostics } = await readPolicy(new TextDecoder().decode(bytes), file)
  if (policy === undefined) throw new Unreadable({ file, diagnostics })
  return policy
}

/** Options of `blazon verify` for run records and streams. */
export const RUN_OPTIONS = {
  certificate: { value: 'FILE', about: "for runs: the agent's certificate" },
  chain: { value: 'FILE', many: true, about: 'for runs: authorities between it and the anchor' },
  anchor: { value: 'FILE', many: true, about: 'for runs: the authorities that you trust' },
  environment: { value: 'NAME', about: 'for runs: the environment of the certificate' },
  audience: { value: 'NAME', about: 'for runs: the audience of the certificate' },
  lenient: { about: 'for runs: accept extensions with raw text, with a warning' },
  values: { value: 'FILE', about: 'for streams: values to compare (default: those next to it)' },
  policy: { value: 'FILE', about: 'for streams: trusted logs and witnesses (C2SP)' },
  since: { value: 'FILE', about: 'for streams: earlier checkpoints, which they must continue' },
  partial: { about: 'for streams: say which lines are verified, if not all are' },
  line: { value: 'FILE', about: 'for a .tlog-proof: the line that it proves' },
} as const satisfies Options
