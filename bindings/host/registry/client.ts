// A client of OCI registries (distribution-spec 1.1) for one repository. Nothing that a registry answers is trusted.
import { MOST_BYTES } from '../../agentlang/folder.ts'
import { membersOf } from '../../document/parse.ts'
import { encodeBase64 } from '../../keys/base64.ts'
import { anonymous, deadline, isRedirect, readAtMost } from '../../net/deadline.ts'
import type { GuardedInit } from '../../net/fetch.ts'
import { isLoopback, reason, refuseUrl } from '../../net/guard.ts'
import { isText, member, valueAt } from '../../text/members.ts'
import { isBearerToken } from '../../text/moment.ts'
import { quoted } from '../../text/words.ts'
import { type ContainerStore, LARGEST_ARTIFACT, RegistryError } from './artifact.ts'
import { MANIFEST_TYPE } from './names.ts'
import type { ContainerReference } from './reference.ts'

export interface RegistryOptions {
  /** Default: the platform's fetch. */
  readonly fetch?: (url: string, init: GuardedInit) => Promise<Response>
  /** Sent only when the registry asks for it, and only to the registry. */
  readonly login?: { readonly user: string; readonly password: string }
  /** The hosts of token servers that may get the login as well, with their ports. */
  readonly loginHosts?: readonly string[]
  /** For each request; default: 120,000. */
  readonly timeoutMs?: number
}

const PATIENCE_MS = 120_000
const MOST_REDIRECTS = 3
const MOST_TRIES = 4
const LONGEST_WAIT_S = 10

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

interface Ask {
  readonly body?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly maxBytes?: number
}

/** Opens a repository of a registry. Only its methods send requests. */
export function openRegistry(
  { origin, repository }: Pick<ContainerReference, 'origin' | 'repository'>,
  { fetch = globalThis.fetch, login, loginHosts = [], timeoutMs = PATIENCE_MS }: RegistryOptions = {},
): ContainerStore {
  const { host, hostname } = new URL(origin)
  const base = `${origin}/v2/${repository}/`
  let authorization: string | undefined

  async function send(method: string, url: URL, { body, headers, maxBytes = LARGEST_ARTIFACT }: Ask): Promise<Answer> {
    const late = deadline(timeoutMs, undefined)
    const sent = { ...(headers && { headers }), ...(body && { body: body as Uint8Array<ArrayBuffer> }) }
    try {
      const limits = { signal: late.signal, maxBytes, timeoutMs }
      const response = await fetch(url.href, { method, redirect: 'manual', ...limits, ...anonymous(), ...sent })
      const bytes = await readAtMost(response, maxBytes)
      if (bytes !== undefined) return { status: response.status, headers: response.headers, bytes }
    } catch (error) {
      throw new RegistryError('unreachable', `${url.host}: ${late.isOver() ? 'it takes too long' : reason(error)}`)
    } finally {
      late.end()
    }
    throw new RegistryError('invalid', `${url.host} sends more than ${maxBytes} bytes`)
  }

  /** Sends a request with the login that the registry asks for. Follows redirects of downloads. */
  async function ask(method: string, path: string | URL, given: Ask = {}): Promise<Answer> {
    let url = new URL(path, base)
    let hasLoggedIn = false
    for (let [redirects, waits] = [0, 0]; ; ) {
      const isOwn = url.origin === origin
      const headers = { ...given.headers, ...(isOwn && authorization !== undefined && { authorization }) }
      const answer = await send(method, url, { ...given, headers })
      const { status, bytes } = answer
      const wait = Number(answer.headers.get('retry-after'))
      if (status === 401 && isOwn && !hasLoggedIn) {
        hasLoggedIn = true
        authorization = await authorize(answer.headers.get('www-authenticate') ?? '', method !== 'GET')
      } else if (method === 'GET' && isRedirect(status) && redirects++ < MOST_REDIRECTS)
        url = otherUrl(answer.headers.get('location') ?? '', url)
      else if (status === 429 && wait > 0 && wait <= LONGEST_WAIT_S && ++waits < MOST_TRIES)
        await new Promise((resolve) => setTimeout(resolve, wait * 1000))
      else if ((status >= 200 && status < 300) || (method === 'GET' && status === 404)) return answer
      else {
        const words = valueAt(membersOf(bytes), '/errors/0/message')
        const kind = status === 401 ? 'login' : status >= 500 ? 'unreachable' : 'refused'
        throw new RegistryError(kind, `${host} answers ${status}${isText(words) ? `: ${quoted(words)}` : ''}`)
      }
    }
  }

  /** A registry may lead to public hosts only. One on this machine may lead to others here. */
  function otherUrl(text: string, from?: URL): URL {
    const url = URL.canParse(text, from) ? new URL(text, from) : undefined
    const isHere = url !== undefined && isLoopback(hostname) && isLoopback(url.hostname)
    const why = url === undefined ? 'not a URL' : url.origin === origin || isHere ? undefined : refuseUrl(url)
    if (url !== undefined && why === undefined) return url
    throw new RegistryError('refused', `${host} leads to ${quoted(text)}: ${why}`)
  }

  async function authorize(challenge: string, pushes: boolean): Promise<string> {
    const basic = login && `Basic ${encodeBase64(new TextEncoder().encode(`${login.user}:${login.password}`))}`
    const bearer = challenge.split(/\bBearer /i)[1]
    if (bearer === undefined && basic !== undefined) return basic
    if (bearer === undefined) throw new RegistryError('login', `${host} needs a login`)
    const [realm = '', service] = ['realm', 'service'].map((name) => new RegExp(`${name}="([^"]*)"`).exec(bearer)?.[1])
    const url = otherUrl(realm)
    if (basic !== undefined && url.origin !== origin && !loginHosts.includes(url.host))
      throw new RegistryError('login', `${host} wants the login to be sent to ${url.host}, which is not allowed`)
    if (service !== undefined) url.searchParams.set('service', service)
    // The challenge could name the scope of another repository.
    url.searchParams.set('scope', `repository:${repository}:${pushes ? 'pull,push' : 'pull'}`)
    const { status, bytes } = await send('GET', url, basic === undefined ? {} : { headers: { authorization: basic } })
    const members = membersOf(bytes)
    const token = member(members, 'token') ?? member(members, 'access_token')
    if (status === 200 && isText(token) && isBearerToken(token)) return `Bearer ${token}`
    throw new RegistryError('login', `${url.host} does not accept the login (${status})`)
  }

  async function download(path: string, given: Ask): Promise<Uint8Array | undefined> {
    const { status, bytes } = await repeatedly(() => ask('GET', path, given))
    return status === 404 ? undefined : bytes
  }

  /** The URL of an upload. A registry behind a proxy may write another scheme than the client used. */
  function uploadUrl({ headers }: Answer): URL {
    const text = headers.get('location') ?? ''
    const url = URL.canParse(text, base) ? new URL(text, base) : undefined
    if (url?.host === host) return new URL(url.pathname + url.search, origin)
    throw new RegistryError('refused', `${host} wants the container at ${quoted(text)}`)
  }

  const binary = { 'content-type': 'application/octet-stream' }
  return {
    getManifest: (reference) => download(`manifests/${reference}`, { headers: { accept: MANIFEST_TYPE } }),
    async putManifest(tag, body) {
      await repeatedly(() => ask('PUT', `manifests/${tag}`, { body, headers: { 'content-type': MANIFEST_TYPE } }))
    },
    getBlob: ({ digest, size }) => download(`blobs/${digest}`, { maxBytes: Math.min(size, MOST_BYTES) }),
    async putBlob({ digest }, bytes) {
      let place: URL | undefined
      await repeatedly(async () => {
        // What the registry has of an upload that was cut. "0-0" means nothing, or one byte.
        const before = place && (await ask('GET', place))
        const last = Number(/^(?:bytes=)?0-(\d{1,12})$/.exec(before?.headers.get('range') ?? '')?.[1] ?? 0)
        const isResumed = before?.status === 204 && last > 0 && last < bytes.length
        place = undefined
        place = uploadUrl(isResumed ? before : await ask('POST', 'blobs/uploads/'))
        const rest = isResumed ? bytes.subarray(last + 1) : bytes
        if (isResumed && rest.length > 0) {
          const headers = { ...binary, 'content-range': `${last + 1}-${bytes.length - 1}` }
          place = uploadUrl(await ask('PATCH', place, { body: rest, headers }))
        }
        const end = new URL(place)
        end.searchParams.set('digest', digest)
        await ask('PUT', end, isResumed ? {} : { body: rest, headers: binary })
      })
    },
  }
}

/** Repeats what failed because a connection was cut. */
async function repeatedly<Made>(work: () => Promise<Made>): Promise<Made> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === MOST_TRIES || !(error instanceof RegistryError) || error.kind !== 'unreachable') throw error
    }
  }
}
