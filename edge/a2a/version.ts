import type { Call } from '../access/route.ts'
import type { A2aVersion } from '../contracts/directory.ts'

export const CURRENT = '1.0'
/** The version of a client that names none (A2A 1.0, section 3.6). */
const UNSAID = '0.3'

export const A2A_TYPES: Readonly<Record<A2aVersion, string>> = {
  '1.0': 'application/a2a+json',
  '0.3': 'application/json',
}

type RequestParts = Pick<Call, 'request' | 'url'>

/** The version that a client asks for in the header or the parameter, without its patch number, which never counts. */
function askedFor({ request, url }: RequestParts): string {
  const said = request.headers.get('a2a-version') ?? url.searchParams.get('A2A-Version') ?? ''
  return said.trim().replace(/^(\d+\.\d+)\.\d+$/, '$1') || UNSAID
}

/** The version of a client; undefined if it is not supported. */
export function versionOf(asked: RequestParts): A2aVersion | undefined {
  const version = askedFor(asked)
  return Object.hasOwn(A2A_TYPES, version) ? (version as A2aVersion) : undefined
}

export function isLegacy(request: Request, url: URL): boolean {
  return versionOf({ request, url }) === '0.3'
}
