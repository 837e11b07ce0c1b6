import { Card } from '../../bindings/card/card.ts'
import { type Probe, type ProbedEndpoint, probe, probeTargets } from '../../bindings/discover/probe/probe.ts'
import { visible } from '../../bindings/document/hidden.ts'
import { isObject } from '../../bindings/document/members.ts'
import type { Context, Outcome } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { UsageError } from '../usage.ts'

/** `blazon probe`: what a card claims, held against what its endpoints say. Says where it connects to before it does. */
export async function run({ options, positionals, reader, host }: Context): Promise<Outcome> {
  const name = reader.file(positionals, 'probe takes one card')
  const { file, document, diagnostics } = await reader.document(name)
  if (document === undefined) return { results: [{ file, kind: null, valid: false, diagnostics }], output: [] }
  if (!isObject(document.value)) throw new UsageError('wrong-kind', `${file} is no Agent Card`, 'name an Agent Card')
  const card = new Card(document)
  const uris = probeTargets(card).map(({ uri }) => visible(uri))
  if (uris.length === 0) {
    const note = `${file} has no endpoint of http+json by https: nobody can be asked`
    return { results: [{ file, kind: 'card', valid: true, diagnostics, endpoints: [] }], output: [], notes: [note] }
  }
  if (!options.has('network')) {
    const message = `probe would connect to ${uris.join(', ')}`
    throw new UsageError('network-not-allowed', message, 'give --network to do so')
  }
  if (!options.has('quiet')) host.stderr.write(uris.map((uri) => `connecting to ${uri}\n`).join(''))
  const probed = await probe(card, { fetch: host.fetch })
  return {
    results: [
      {
        file,
        kind: 'card',
        valid: true,
        diagnostics: [...diagnostics, ...probed.diagnostics],
        endpoints: probed.endpoints,
      },
    ],
    output: probed.endpoints.map(describe),
    exit: exitOf(probed),
  }
}

function exitOf({ endpoints }: Probe): ExitCode {
  if (endpoints.every(({ speaks }) => speaks === undefined)) return EXIT.unreadable
  return endpoints.some(({ missing }) => missing.length > 0) ? EXIT.findings : EXIT.clean
}

function describe({ uri, speaks, offered, missing, unclaimed }: ProbedEndpoint): string {
  const head = speaks === undefined ? 'does not say what it offers' : `${speaks}, tools offered: ${offered.length}`
  const rows = [...missing.map((name) => `  missing    ${name}`), ...unclaimed.map((name) => `  unclaimed  ${name}`)]
  return [`${uri}: ${head}`, ...rows].map((line) => `${visible(line)}\n`).join('')
}
