// What `blazon verify` does with run records and streams.
import type { Document } from '../../bindings/document/document.ts'
import type { Proof } from '../../bindings/frame/proof.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { link } from '../../bindings/runs/aip/link.ts'
import { readPolicy } from '../../bindings/runs/stream/policy.ts'
import { verifyStream } from '../../bindings/runs/stream/verify.ts'
import type { Tools } from '../command.ts'
import { given } from '../given.ts'
import { keySource, usable } from '../keys.ts'
import type { Values } from '../options.ts'
import { Unreadable } from '../outcome.ts'
import type { RUN_OPTIONS } from './options.ts'
import { bytesIfThere, nextTo } from './stream-files.ts'

type RunValues = Values<typeof RUN_OPTIONS>

/** Links records to the certificate of the command line. */
export async function linking(options: RunValues, { reader }: Tools): Promise<(document: Document) => Promise<Proof>> {
  const { certificate, environment, audience, lenient } = options
  const read = async (name: string) => keySource((await reader.bytes(name)).bytes)
  const own = {
    ...(certificate !== undefined && { certificate: await read(certificate) }),
    chain: await Promise.all(options.chain.map(read)),
    anchors: await Promise.all(options.anchor.map(read)),
    lenient,
    ...given({ environment, audience }),
  }
  return (document) => usable(link(document, own), 'openssl x509 -in FILE -noout -text shows a certificate')
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
