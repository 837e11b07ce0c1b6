// Repositories: `/v2/DEVELOPER/NAME` has the versions of one agent. Problems have the form of OCI (Error Codes).
import { DIGEST } from '../../bindings/host/registry/names.ts'
import { toHex } from '../../bindings/text/bytes.ts'
import type { Call, Tell } from '../access/route.ts'
import { registryStub } from '../env.ts'
import { json } from '../http/answer.ts'
import { Problem, type ProblemName, statusOf } from '../http/problem.ts'
import { sha256 } from '../http/published.ts'

/** A component of a name (distribution-spec, Pulling manifests). */
const COMPONENT = /^(?=.{1,128}$)[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/

/** The codes of problems that name none. */
const CODES: Readonly<Partial<Record<ProblemName, string>>> = {
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'DENIED',
  'insufficient-scope': 'DENIED',
  conflict: 'DENIED',
  full: 'DENIED',
  'body-too-large': 'SIZE_INVALID',
  'too-many-requests': 'TOOMANYREQUESTS',
}

export const ociProblem = (name: ProblemName, code: string, detail: string): Problem =>
  new Problem(name, detail, { members: { code } })

/** Answers with `{ errors: [{ code, message }] }`. */
export const tellOci: Tell = ({ name, message, extras: { members, headers } }) => {
  const code = members?.['code'] ?? CODES[name] ?? 'UNSUPPORTED'
  return json({ errors: [{ code, message }] }, statusOf(name), headers)
}

export type RepositoryCall = Call<'developer' | 'name'>

/** The repository of a call: its path, which is also an address without a host, and the index of its developer. */
export function repositoryOf({ env, parts: { developer, name } }: RepositoryCall) {
  if (!COMPONENT.test(developer) || !COMPONENT.test(name))
    throw ociProblem('bad-request', 'NAME_INVALID', 'Expected /v2/DEVELOPER/NAME of a-z, 0-9, ".", "_" and "-".')
  return { name, path: `/v2/${developer}/${name}`, registry: registryStub(env, developer) }
}

export function expectDigest(digest: string): string {
  if (DIGEST.test(digest)) return digest
  throw ociProblem('bad-request', 'DIGEST_INVALID', 'Expected a digest sha256:HEX.')
}

export const digestOf = async (bytes: Uint8Array): Promise<string> =>
  `sha256:${toHex(await sha256(bytes as Uint8Array<ArrayBuffer>))}`
