// What `blazon verify` does with run records and streams.
import type { Document } from '../../bindings/document/document.ts'
import type { Proof } from '../../bindings/frame/proof.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { link } from '../../bindings/runs/aip/link.ts'
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
  const { certificate, environment, audience, lenient } = options
  const read = (option: 'chain' | 'anchor') =>
    Promise.all(options[option].map(async (name) => (await readCertificateFile(option, name, tools)).bytes))
  const own = {
    ...(certificate !== undefined && { certificate: keySource((await tools.reader.bytes(certificate)).bytes) }),
    chain: await read('chain'),
    anchors: await read('anchor'),
    lenient,
    ...given({ environment, audience }),
  }
  return (document) => link(document, own)
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
  const openings = await bytesIfThere(tools, nextTo(name, 'salts'))
  const policy = options.policy === undefined ? undefined : await policyOf(options.policy, tools)
  const since = options.since === undefined ? undefined : (await reader.bytes(options.since)).bytes
  return verifyStream(reader.input(name), { file: name, checkpoints, keys, ...given({ openings, policy, since }) })
}

async function policyOf(name: string, { reader }: Tools) {
  const { bytes, file } = await reader.bytes(name)
  const { policy, diagnostics } = await readPolicy(new TextDecoder().decode(bytes), file)
  if (policy === undefined) throw new Unreadable({ file, diagnostics })
  return policy
}
