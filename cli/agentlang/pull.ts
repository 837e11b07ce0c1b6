// Containers by the names that registries and OCI layout folders have for them.

import { posix, resolve } from 'node:path'
import type { Manifest } from '../../bindings/agentlang/container/archive.ts'
import { type OpenedContainer, openContainer } from '../../bindings/agentlang/container/seal.ts'
import { isBelow } from '../../bindings/agentlang/container/verify.ts'
import { parseVersion } from '../../bindings/agentlang/lock/range.ts'
import { parseReference, pullContainer, repositoryOf, sha256Of } from '../../bindings/agentlang/registry/client.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import type { Key } from '../../bindings/keys/key.ts'
import type { Tools, Values } from '../command.ts'
import { expected } from '../keys.ts'
import { Unreadable } from '../outcome.ts'
import { saveOver } from '../save.ts'
import { EXIT, given, UsageError } from '../usage.ts'
import type { LOGIN } from './options.ts'
import { faultDiagnostic, openLayout, parseLayout, registryAt } from './registry.ts'

export interface PullOptions extends Values<typeof LOGIN> {
  readonly keys: readonly Key[]
  readonly secret?: string | undefined
  readonly accept: readonly string[]
}

export interface PulledAgent {
  readonly bytes: Uint8Array
  readonly opened: OpenedContainer
  /** Remembers the version, so that nobody leads this user back. Returns the reason if that failed. */
  remember(): Promise<string | undefined>
}

/** Pulls the container of a REF. It is verified, also against the versions that this user has seen. */
export async function pullAgent(name: string, options: PullOptions, tools: Tools): Promise<PulledAgent> {
  const { keys, secret, accept } = options
  const layout = parseLayout(name)
  const reference = parseReference(name)
  if (layout === undefined && reference === undefined)
    throw new UsageError('wrong-arguments', `${name} is not a REF`, 'as in registry.example.com/acme/coach:1.0.0')
  const store = layout
    ? openLayout(layout.folder, tools)
    : (await registryAt(reference!.origin, options, tools))(reference!.repository)
  const asked = { file: name, ...expected(keys), ...given({ secret }) }
  const { fault, bytes, opened } = await pullContainer(layout ?? reference!, store, asked)
  if (fault !== undefined)
    throw new Unreadable(
      { file: name, kind: 'container', diagnostics: [faultDiagnostic(name, fault)] },
      EXIT.unreadable,
    )
  const { manifest } = opened!
  const memory = manifest && (await seenFile(manifest, tools))
  const seen = await readSeen(memory, tools)
  const isRefused = manifest && seen !== undefined && isBelow(manifest.version, seen) && !accept.includes('downgrade')
  return {
    bytes: bytes!,
    opened: isRefused ? await openContainer(bytes!, { ...asked, seen: [`${manifest.name}@${seen}`] }) : opened!,
    remember: async () => memory && remember(manifest!.version, memory, seen, tools),
  }
}

/** As for Docker, the host of a REF has a dot or a port, or is localhost. All else is a path, also `./a.b/c/d:1.0.0`. */
export function isRef(name: string): boolean {
  if (parseLayout(name) !== undefined) return true
  const host = name.slice(0, name.indexOf('/'))
  const isHost = host === 'localhost' || (/[.:]/.test(host) && host !== '.' && host !== '..')
  return isHost && parseReference(name) !== undefined
}

// The highest version of an agent that this user has pulled from a signer: ~/.blazon/seen/DEVELOPER/NAME/SIGNER.

/** Undefined without a home folder: then nothing is remembered. */
async function seenFile(manifest: Manifest, { host: { env } }: Tools): Promise<string | undefined> {
  const home = env['HOME'] ?? env['USERPROFILE']
  const signer = (await sha256Of(new TextEncoder().encode(manifest.signer.public_key))).replace(':', '-')
  return home && posix.join(home, '.blazon/seen', repositoryOf(manifest)!, signer)
}

/** The version that was seen, if it is valid. */
async function readSeen(file: string | undefined, { host, reader }: Tools): Promise<string | undefined> {
  if (file === undefined || host.stamp(resolve(host.cwd, file)) === undefined) return undefined
  const version = new TextDecoder().decode((await reader.bytes(file)).bytes).trim()
  return parseVersion(version) && version
}

/** Remembers a version if it is the highest one. Returns the reason if that failed. */
async function remember(version: string, file: string, seen: string | undefined, { host }: Tools) {
  if (seen !== undefined && !isBelow(seen, version)) return undefined
  return saveOver(host, file, new TextEncoder().encode(`${version}\n`), { makeFolder: true })
}

const TRUST_SIGNER = 'the signer is not known: give its key with --key, or --accept signer'

/** The result for a container, and the refusal of one with a step that neither passed nor is accepted by its name. */
export function judgeContainer(file: string, proof: Proof, accepted: readonly string[]) {
  const diagnostics = proof.steps.flatMap(({ diagnostic }) => diagnostic ?? [])
  const result = { file, kind: 'container', valid: proof.verdict === 'verified', diagnostics, proof }
  const refused = proof.steps.filter(
    ({ name, outcome }) => outcome === 'failed' || (outcome === 'unknown' && !accepted.includes(name)),
  )
  if (refused.length === 0) return { result }
  const isUnknown = refused.every(({ name, outcome }) => name === 'signer' && outcome === 'unknown')
  const notes = ['nothing was written or started', ...(isUnknown ? [TRUST_SIGNER] : [])]
  return { result, refusal: { results: [result], exit: EXIT.unverified, notes } }
}
