// What `blazon verify` does with run records and streams.
import type { Document } from '../../bindings/document/document.ts'
import type { Proof } from '../../bindings/frame/proof.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { link, type RunLinkOptions } from '../../bindings/runs/aip/link.ts'
import { readPolicy } from '../../bindings/runs/stream/policy.ts'
import { verifyStream } from '../../bindings/runs/stream/verify.ts'
import type { Tools } from '../command.ts'
import { given } from '../given.ts'
import { keySource } from '../keys.ts'
import type { Values } from '../options.ts'
import { Unreadable } from '../outcome.ts'
import { readCertificateFile } from './certificate.ts'
import type { RUN_OPTIONS } from './options.ts'
import { bytesIfThere, nextTo } from './stream-files.ts'

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

/** Verifies a stream with the checkpoints and values next to it. */
export async function verifyStreamFile(
  name: string,
  keys: readonly Key[],
  options: RunValues,
  tools: Tools,
): Promise<Proof> {
  const { reader } = tools
  const checkpoints = (await bytesIfThere(tools, nextTo(name, 'checkpoints'))) ?? new Uint8Array()
  const openings =
    options.values === undefined
      ? await bytesIfThere(tools, nextTo(name, 'salts'))
      : (await reader.bytes(options.values)).bytes
  const policy = options.policy === undefined ? undefined : await policyOf(options.policy, tools)
  const since = options.since === undefined ? undefined : (await reader.bytes(options.since)).bytes
  const isLinked = options.certificate !== undefined || options.anchor.length > 0
  const agent = isLinked ? await agentOf(options, tools) : undefined
  const more = given({ openings, policy, since, agent })
  return verifyStream(reader.input(name), { file: name, checkpoints, keys, ...more })
}

async function policyOf(name: string, { reader }: Tools) {
  const { bytes, file } = await reader.bytes(name)
  const { policy, diagnostics } = await readPolicy(new TextDecoder().decode(bytes), file)
  if (policy === undefined) throw new Unreadable({ file, diagnostics })
  return policy
}
