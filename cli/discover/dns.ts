// What the commands that find agents ask, and by which keys they judge the answers.
import type { Context } from '../command.ts'
import type { Options } from '../options.ts'
import type { Reader } from '../reader.ts'
import { UsageError } from '../usage.ts'
import { readAnchors } from './anchors.ts'

export const DNS_OPTIONS = {
  resolver: { value: 'RESOLVER', about: 'an address, or an https URL (default: as the system)' },
  anchors: { value: 'FILE', about: 'DS records to trust in place of those of the root' },
} as const satisfies Options

export async function dnsOf({ options, host, reader }: Context<typeof DNS_OPTIONS>) {
  const { anchors } = options
  try {
    const resolver = await host.resolver(options.resolver)
    return anchors === undefined ? { resolver } : { resolver, ...(await anchorsOf(reader, anchors)) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(
      'invalid-value',
      `--resolver: ${error.message}`,
      'as in --resolver https://dns.example/dns-query',
    )
  }
}

export async function anchorsOf(reader: Reader, file: string) {
  const { bytes } = await reader.bytes(file)
  return { anchors: readAnchors(new TextDecoder().decode(bytes), file) }
}
