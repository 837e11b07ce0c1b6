import { Card } from '../../bindings/card/subject.ts'
import { type ProbedEndpoint, probe, probeTargets } from '../../bindings/discover/probe/probe.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { isObject } from '../../bindings/text/members.ts'
import { defineCommand, EXIT, type ExitCode, UsageError } from '../command.ts'

/** `blazon probe`: compares a card with what its endpoints offer. Announces each connection first. */
export const command = defineCommand({
  options: { network: { about: 'connect to the endpoints of the card' } },
  async run({ options, positionals, reader, host, print, say }) {
    const name = reader.file(positionals, 'probe takes one card')
    const { file, document, diagnostics } = await reader.document(name, { only: ['card'], names: 'cards' })
    if (!isObject(document.value))
      throw new UsageError('wrong-kind', `${file} is not an Agent Card`, 'name an Agent Card')
    const card = new Card(document)
    const uris = probeTargets(card).map(({ uri }) => visible(uri))
    if (uris.length === 0) {
      const note = `${file} has no http+json endpoint over https, so there is nothing to probe`
      return { results: [{ file, kind: 'card', valid: true, diagnostics, endpoints: [] }], notes: [note] }
    }
    if (!options.network) {
      const message = `probe would connect to ${uris.join(', ')}`
      throw new UsageError('network-not-allowed', message, 'give --network to do so')
    }
    for (const uri of uris) say(`connecting to ${uri}`)
    const probed = await probe(card, { fetch: host.fetch })
    const { endpoints } = probed
    print(...endpoints.map(describeEndpoint))
    return {
      results: [{ file, kind: 'card', valid: true, diagnostics: [...diagnostics, ...probed.diagnostics], endpoints }],
      exit: exitOf(probed),
    }
  },
})

function exitOf({ endpoints }: probe.Result): ExitCode {
  if (endpoints.every(({ speaks }) => speaks === undefined)) return EXIT.unreadable
  return endpoints.some(({ missing }) => missing.length > 0) ? EXIT.findings : EXIT.clean
}

function describeEndpoint({ uri, speaks, offered, missing, unclaimed }: ProbedEndpoint): string {
  const head = speaks === undefined ? 'does not list its tools' : `${speaks}, tools offered: ${offered.length}`
  const rows = [...missing.map((name) => `  missing    ${name}`), ...unclaimed.map((name) => `  unclaimed  ${name}`)]
  return [`${uri}: ${head}`, ...rows].map((line) => `${visible(line)}\n`).join('')
}
