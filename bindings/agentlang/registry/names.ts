// Names that registries and their clients share (image-spec 1.1, "Guidelines for Artifact Usage").
import { parseVersion } from '../lock/range.ts'

export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json'
export const ARTIFACT_TYPE = 'application/vnd.agentlang.agent.v1'
export const CONTAINER_TYPE = `${ARTIFACT_TYPE}+zip`

/** The config of artifacts without one: `{}`. */
export const EMPTY = {
  mediaType: 'application/vnd.oci.empty.v1+json',
  digest: 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  size: 2,
} as const

/** The only algorithm here. */
export const DIGEST = /^sha256:[\da-f]{64}$/

/** Tags have no `+`, and versions no `_`. */
export const tagOf = (version: string): string => version.replace('+', '_')

/** The version of a tag: the reverse of `tagOf`. */
export function versionOf(tag: string): string | undefined {
  const version = tag.replace('_', '+')
  return parseVersion(version) && version
}
