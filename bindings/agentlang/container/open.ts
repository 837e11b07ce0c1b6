// Verifies containers for callers that have their bytes, and gives their files.
import { Document } from '../../document/parse.ts'
import type { Files } from '../../document/types.ts'
import type { Proof } from '../../frame/source.ts'
import { verifyParsed } from '../../frame/verify.ts'
import type { KeySource } from '../../keys/read.ts'
import { rowOf } from '../../kinds.ts'
import { parseArchive } from './subject.ts'
import { type ContainerContent, type ContainerOptions, verifying } from './verify.ts'

export interface VerifyContainerOptions extends Omit<ContainerOptions, 'expect'> {
  /** The keys that the caller trusts for this container. */
  readonly keys?: readonly KeySource[]
  /** The expected name@version. */
  readonly agent?: string
}

/**
 * Verifies a container. The verdict is `unverifiable` without a key of its developer: the key in a container shows only
 * that nobody changed it since.
 *
 * @example
 * (await verifyContainer(bytes, { keys: [developerKey], agent: 'coach@1.0.0' })).verdict // 'verified'
 *
 * @throws {KeyError} for a malformed key, {RangeError} for a malformed secret; never because of the container.
 */
export async function verifyContainer(bytes: Uint8Array, options: VerifyContainerOptions = {}): Promise<Proof> {
  return (await openContainer(bytes, options)).proof
}

/** Without `manifest` and files when a step failed. */
export type OpenedContainer = Partial<ContainerContent> & { readonly proof: Proof }

/** Verifies a container, and gives its content if no step failed. The proof says whether the signer is known. */
export async function openContainer(
  source: Uint8Array | Document,
  { keys, agent, ...options }: VerifyContainerOptions = {},
): Promise<OpenedContainer> {
  const { file } = options
  const { bytes: maxBytes, depth: maxDepth } = rowOf('container').bounds
  const parsed =
    source instanceof Document
      ? { document: source, diagnostics: [] }
      : parseArchive(source, { maxBytes, maxDepth, ...(file !== undefined && { file }) })
  const expect = { ...(keys !== undefined && { keys }), ...(agent !== undefined && { id: agent }) }
  let content: ContainerContent | undefined
  const take = (opened: ContainerContent) => {
    content = opened
  }
  const proof = await verifyParsed(verifying(take), parsed, { ...options, expect })
  return { ...content, proof }
}

/** The files of a container that could be read: those that are not encrypted, or were decrypted. */
export function readableFiles({ files = new Map(), encrypted }: OpenedContainer): Files {
  const sealed = new Set(encrypted)
  return new Map([...files].filter(([path]) => !sealed.has(path)))
}

/** The files to write for a container, by path; undefined unless it is verified. */
export async function unpackContainer(bytes: Uint8Array, options?: VerifyContainerOptions): Promise<Files | undefined> {
  const { files, proof } = await openContainer(bytes, options)
  return proof.verdict === 'verified' ? files : undefined
}
