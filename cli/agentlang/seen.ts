// The highest version of an agent that this user has pulled from a signer: ~/.blazon/seen/DEVELOPER/NAME/SIGNER.
import { posix, resolve } from 'node:path'
import type { Manifest } from '../../bindings/agentlang/container/archive.ts'
import { isBelow } from '../../bindings/agentlang/container/verify.ts'
import { parseVersion } from '../../bindings/agentlang/versions/range.ts'
import { repositoryOf, sha256Of } from '../../bindings/host/registry/client.ts'
import type { Tools } from '../command.ts'
import { saveOver } from '../save.ts'

/** Undefined without a home folder: then nothing is remembered. */
export async function seenFile(manifest: Manifest, { host: { env } }: Tools): Promise<string | undefined> {
  const home = env['HOME'] ?? env['USERPROFILE']
  const signer = (await sha256Of(new TextEncoder().encode(manifest.signer.public_key))).replace(':', '-')
  return home && posix.join(home, '.blazon/seen', repositoryOf(manifest)!, signer)
}

/** The version that was seen, if it is valid. */
export async function readSeen(file: string | undefined, { host, reader }: Tools): Promise<string | undefined> {
  if (file === undefined || host.stamp(resolve(host.cwd, file)) === undefined) return undefined
  const version = new TextDecoder().decode((await reader.bytes(file)).bytes).trim()
  return parseVersion(version) && version
}

/** Remembers a version if it is the highest one. Returns the reason if that failed. */
export async function remember(version: string, file: string, seen: string | undefined, { host }: Tools) {
  if (seen !== undefined && !isBelow(seen, version)) return undefined
  return saveOver(host, file, new TextEncoder().encode(`${version}\n`), { makeFolder: true })
}
