import type { Host } from '../host.ts'
import type { Bytes } from '../reader.ts'
import { UsageError } from '../usage.ts'

const ACCEPT = 'application/json, application/yaml;q=0.9, */*;q=0.1'

/** True when an argument is a URL of any scheme; only https is read. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text)
}

export function expectNetwork(url: string, isAllowed: boolean): void {
  if (isAllowed) return
  const message = `${url}: reading from the network is not allowed`
  throw new UsageError('network-not-allowed', message, 'give --allow-network')
}

export async function fetchBytes(url: string, { fetch }: Pick<Host, 'fetch'>): Promise<Bytes> {
  const { fetchDocument } = await import('../../bindings/net/fetch.ts')
  const outcome = await fetchDocument(url, ACCEPT, { fetch })
  if (!outcome.ok) return { file: url, bytes: undefined, diagnostics: [outcome.diagnostic] }
  return { file: url, bytes: outcome.fetched.bytes }
}
