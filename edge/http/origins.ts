// The public addresses of this deployment are a setting. The `Host` of a request is only compared with it, and never
// appears in an answer, a link or a signed card.
import type { Env } from '../env.ts'
import { Problem } from './problem.ts'

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

let known: { readonly setting: string; readonly origins: readonly string[] } | undefined

/** The origins of the setting `PUBLIC_ORIGIN`; the first is the one that is published. */
export function publicOrigins({ PUBLIC_ORIGIN: setting = '' }: Pick<Env, 'PUBLIC_ORIGIN'>): readonly string[] {
  if (known?.setting !== setting) known = { setting, origins: setting.split(/[\s,]+/).flatMap(readOrigin) }
  return known.origins
}

function readOrigin(text: string): readonly string[] {
  if (text === '') return []
  const url = parseUrl(text)
  const isOrigin = url !== undefined && url.href === `${url.origin}/`
  if (isOrigin && (url.protocol === 'https:' || LOCAL.test(url.hostname))) return [url.origin]
  console.error(`PUBLIC_ORIGIN: expected https://HOST, or http:// and a name of this machine, got ${text}`)
  return []
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/**
 * The public address of a request. A proxy that terminates TLS may forward requests without it; a host that is not
 * served here is refused, and never repeated in an answer.
 */
export function publicUrl(url: URL, origins: readonly string[]): URL {
  const origin = origins.find((candidate) => new URL(candidate).host === url.host)
  if (origin !== undefined) return origin === url.origin ? url : new URL(origin + url.pathname + url.search)
  if (origins.length > 0) throw new Problem('misdirected', `This host is not served here; ${origins[0]} is.`)
  throw new Problem('unavailable', 'This deployment has no PUBLIC_ORIGIN: its operator has to say where it is reached.')
}
