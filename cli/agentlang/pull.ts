// Containers by the names that registries and OCI layout folders have for them.
import { type OpenedContainer, openContainer } from '../../bindings/agentlang/container/seal.ts'
import { isBelow } from '../../bindings/agentlang/container/verify.ts'
import { parseReference, pullContainer } from '../../bindings/host/registry/client.ts'
import type { Key } from '../../bindings/keys/key.ts'
import type { Tools } from '../command.ts'
import { EXIT } from '../exit.ts'
import { given } from '../given.ts'
import { expected } from '../keys.ts'
import type { Values } from '../options.ts'
import { Unreadable } from '../outcome.ts'
import { UsageError } from '../usage.ts'
import { openLayout, parseLayout } from './layout.ts'
import type { LOGIN } from './options.ts'
import { faultDiagnostic, registryAt } from './registry.ts'
import { readSeen, remember, seenFile } from './seen.ts'

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
