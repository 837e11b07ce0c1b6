// The direct conversions from one format to another.
import { Agent } from '../adl/subject.ts'
import { Card } from '../card/subject.ts'
import { fromCard as fromA2a, toCard as toA2a } from './adl-a2a/adl-a2a.ts'
import { cardFromAdl, cardToAdl } from './adl-card/adl-card.ts'
import { fromBundle, toBundle } from './adl-mcp/bundle.ts'
import { fromClient, fromServer, toClient, toServer } from './adl-mcp/server.ts'
import { agentToAdl, agentToClient } from './agent/agent.ts'
import { cardFromA2a, cardToA2a } from './card-a2a/card-a2a.ts'
import { cardFromMcp, cardFromServer, cardToMcp, cardToServer } from './card-mcp/card-mcp.ts'
import { cardFromRecord, cardToRecord } from './card-oasf/card-oasf.ts'
import { cardFromDescriptor, cardToDescriptor } from './card-oasf/descriptor.ts'
import { cardFromWellknown, cardToWellknown } from './card-wellknown/card-wellknown.ts'
import type { SourceFormat } from './formats.ts'
import type { Converter, ExportJob, Product } from './job.ts'

type Converters = Readonly<Partial<Record<SourceFormat, Converter>>>

const ofDefinition =
  (make: (job: ExportJob) => Product): Converter =>
  (job) =>
    make({ ...job, agent: new Agent(job.document) })

const ofCard =
  (make: Converter): Converter =>
  (job) => {
    const seq = new Card(job.document).seq?.value ?? 0n
    if (seq > Number.MAX_SAFE_INTEGER) job.ledger.dropped('/seq', 'rounding it could change the order of cards')
    return make(job)
  }

/** From an agent definition to other formats. */
const FROM_ADL: Converters = {
  'a2a-1.0': ofDefinition((job) => toA2a(job, '1.0')),
  'a2a-0.3': ofDefinition((job) => toA2a(job, '0.3')),
  'mcp-2025-11-25': ofDefinition((job) => toBundle(job, '2025-11-25')),
  'mcp-2026-07-28': ofDefinition((job) => toBundle(job, '2026-07-28')),
  'mcp-server': ofDefinition(toServer),
  'mcp-client': ofDefinition(toClient),
  card: cardFromAdl,
}

/** From other formats to an agent definition. */
const TO_ADL: Converters = {
  'a2a-1.0': (job) => fromA2a(job, '1.0'),
  'a2a-0.3': (job) => fromA2a(job, '0.3'),
  'mcp-2025-11-25': (job) => fromBundle(job, '2025-11-25'),
  'mcp-2026-07-28': (job) => fromBundle(job, '2026-07-28'),
  'mcp-server': fromServer,
  'mcp-client': fromClient,
  card: ofCard(cardToAdl),
}

/** From an agent of AgentLang to other formats. */
const FROM_AGENT: Converters = { adl: agentToAdl, 'mcp-client': agentToClient }

/** From an Agent Card to other formats. */
const FROM_CARD: Converters = {
  'a2a-1.0': ofCard((job) => cardToA2a(job, '1.0')),
  'a2a-0.3': ofCard((job) => cardToA2a(job, '0.3')),
  'mcp-2025-11-25': ofCard((job) => cardToMcp(job, '2025-11-25')),
  'mcp-2026-07-28': ofCard((job) => cardToMcp(job, '2026-07-28')),
  'mcp-server': ofCard(cardToServer),
  'oasf-record': ofCard(cardToRecord),
  'oasf-descriptor': ofCard(cardToDescriptor),
  wellknown: ofCard(cardToWellknown),
}

/** From other formats to an Agent Card. */
const TO_CARD: Converters = {
  'a2a-1.0': (job) => cardFromA2a(job, '1.0'),
  'a2a-0.3': (job) => cardFromA2a(job, '0.3'),
  'mcp-2025-11-25': (job) => cardFromMcp(job, '2025-11-25'),
  'mcp-2026-07-28': (job) => cardFromMcp(job, '2026-07-28'),
  'mcp-server': cardFromServer,
  'oasf-record': cardFromRecord,
  'oasf-descriptor': cardFromDescriptor,
  wellknown: cardFromWellknown,
}

/** Formats that indirect conversions go through. */
const HUBS = ['card', 'adl'] as const
export type Hub = (typeof HUBS)[number]

/** The direct converter from one format to another, if there is one. */
export function converterOf(from: SourceFormat, to: SourceFormat): Converter | undefined {
  if (from === 'adl') return FROM_ADL[to]
  if (from === 'agentlang') return FROM_AGENT[to]
  if (to === 'adl') return TO_ADL[from]
  if (from === 'card') return FROM_CARD[to]
  return to === 'card' ? TO_CARD[from] : undefined
}

/**
 * The shortest routes from one format to another. If a document carries members of a hub's format, it is converted into
 * that first: on other routes these members, for example schemas of tools, would end up where nothing reads them.
 */
export function routes(
  from: SourceFormat,
  to: SourceFormat,
  carried: readonly Hub[] = [],
): readonly (readonly SourceFormat[])[] {
  if (carried.length === 0 || carried.some((hub) => hub === to)) return shortest(from, to)
  return carried.flatMap((hub) => shortest(hub, to).map((rest) => [from, ...rest]))
}

function shortest(from: SourceFormat, to: SourceFormat): readonly (readonly SourceFormat[])[] {
  const exist = (route: readonly SourceFormat[]) =>
    route.every((format, i) => i === 0 || converterOf(route[i - 1]!, format) !== undefined)
  const lengths = [
    [[from, to]],
    HUBS.map((hub) => [from, hub, to]),
    [
      [from, ...HUBS, to],
      [from, ...HUBS.toReversed(), to],
    ],
  ]
  return lengths.map((candidates) => candidates.filter(exist)).find((found) => found.length > 0) ?? []
}
