// Names of containers in OCI registries (distribution-spec 1.1, "Pulling manifests").
import type { Manifest } from '../../agentlang/container/archive.ts'
import { isLoopback } from '../../net/guard.ts'
import { versionOf } from './names.ts'

/** A container in a registry, by its version or by the digest of its manifest. */
export interface ContainerReference {
  /** `https://`, or `http://` on this machine, with the host and port. */
  readonly origin: string
  /** `developer/name` in lower case, after the prefix of a registry that has one. */
  readonly repository: string
  readonly version?: string
  readonly digest?: string
}

const LONGEST = 1024
const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const REPOSITORY = new RegExp(`^(?=.{1,255}$)${COMPONENT}(?:/${COMPONENT})*$`)
const PLACE = /^(?:(https?):\/\/)?([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?(?:\/(.+))?$/
const NAMED = /^([^/@]+\/.+?)(?:@(sha256:[\da-f]{64})|[:@]([\w.+-]{1,128}))$/

/**
 * Parses the name of a container. Returns undefined for an invalid one.
 *
 * @example
 * parseReference('registry.example.com/acme/coach:1.0.0') // { origin: 'https://registry.example.com', ... }
 */
export function parseReference(text: string): ContainerReference | undefined {
  const [, name = '', digest, tag] = (text.length <= LONGEST && NAMED.exec(text)) || []
  const place = parsePlace(name)
  if (place === undefined || !place.repository.includes('/')) return undefined
  if (digest !== undefined) return { ...place, digest }
  const version = versionOf(tag!)
  return version === undefined ? undefined : { ...place, version }
}

/** Parses `host[:port][/path]`. Requests to other machines use https, so that nobody reads a login in transit. */
export function parsePlace(text: string): Pick<ContainerReference, 'origin' | 'repository'> | undefined {
  const [, scheme, host, port = '', repository = ''] = (text.length <= LONGEST && PLACE.exec(text)) || []
  if (host === undefined || (repository !== '' && !REPOSITORY.test(repository))) return undefined
  const origin = `${scheme ?? (isLoopback(host) ? 'http' : 'https')}://${host}${port}`
  if (!URL.canParse(origin) || (scheme === 'http' && !isLoopback(host))) return undefined
  return { origin: new URL(origin).origin, repository }
}

/** The repository of an agent; undefined when no registry can have a repository of that name. */
export function repositoryOf({ developer, name }: Pick<Manifest, 'developer' | 'name'>, prefix = '') {
  const repository = `${prefix && `${prefix}/`}${developer}/${name}`.toLowerCase()
  return REPOSITORY.test(repository) ? repository : undefined
}
