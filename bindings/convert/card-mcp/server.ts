// Converts server.json of the MCP registry.
import { elements, escapeToken, isObject } from '../../text/members.ts'
import {
  ASKED,
  PUBLISHER,
  publishedIn,
  putShort,
  SCHEMA,
  shorten,
  writeAddresses,
  writeName,
} from '../adl-mcp/server.ts'
import { CARD_META, openBaggage } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, type Product, textOf } from '../job.ts'
import type { MutableObject } from '../json.ts'
import { closeCard, keptOf, NO_VERSION, needName, readText, restoreCard, writeText } from '../sides/card.ts'

const LONGEST_VERSION = 255

/** Makes a registry entry from a card. */
export function cardToServer(job: Job): Product {
  const { root, ledger, options, problems } = job
  const kept = keptOf(root, 'mcp-server')
  const server: MutableObject = { $schema: SCHEMA }
  ledger.added('/$schema', 'the schema of server.json')
  const title = textOf(root, 'name')
  if (title === undefined) {
    problems.report(CONVERT_NEEDED, '', 'expected a non-empty name: the target requires it')
    return { document: server, baggage: openBaggage(options, [], '') }
  }
  const uris = elements(root, 'endpoints', isObject).map((endpoint) => textOf(endpoint, 'uri'))
  writeName(job, server, title, [textOf(kept, 'name')], [textOf(root, 'did'), ...uris])
  putShort(ledger, '/name', title, 'title', server)
  const description = textOf(root, 'description')
  const fallback = shorten(title)
  if (description === undefined || description === fallback) {
    writeText(ledger, root, 'description', server, '', fallback, 'its name, because the card has no description')
  } else putShort(ledger, '/description', description, 'description', server)
  writeVersion(job, server)
  const website = textOf(kept, 'websiteUrl')
  if (website !== undefined) server['websiteUrl'] = website
  writeAddresses(job, server, kept)
  const take = (residue: unknown) => {
    server['_meta'] = { [PUBLISHER]: { [CARD_META]: residue } }
  }
  const target = `/_meta/${escapeToken(PUBLISHER)}/${escapeToken(CARD_META)}`
  return {
    document: server,
    baggage: openBaggage(options, [['', { target, take }]], 'server.json has no member for it', ASKED),
  }
}

/** Versions in the registry have at most 255 characters. */
function writeVersion({ root, ledger, options }: Job, server: MutableObject): void {
  const fallback = options.version ?? NO_VERSION
  if ((textOf(root, 'version')?.length ?? 0) <= LONGEST_VERSION) {
    writeText(ledger, root, 'version', server, '', fallback, 'the card has no version')
    return
  }
  server['version'] = fallback
  ledger.shown('/version', '/version', `longer than ${LONGEST_VERSION} characters`, 'changed')
}

/** Makes a card from a registry entry; packages, remotes and others are kept in the extension blazon.mcp-server. */
export function cardFromServer(job: Job): Product {
  const { root, ledger } = job
  const carried = publishedIn(root, CARD_META)
  const card: MutableObject = {}
  const named = textOf(root, 'title') === undefined ? 'name' : 'title'
  needName(job, root, '', named)
  readText(ledger, root, named, card, '', { carried, fallback: '', short: shorten }, 'name')
  const title = textOf({ pointer: '', value: { ...card, ...carried?.value } }, 'name') ?? ''
  readText(ledger, root, 'description', card, '', { carried, fallback: shorten(title), short: shorten })
  readText(ledger, root, 'version', card, '', { carried, fallback: NO_VERSION })
  if (carried !== undefined) restoreCard(ledger, carried, card, false)
  return closeCard(job, card, 'mcp-server', cardToServer)
}
