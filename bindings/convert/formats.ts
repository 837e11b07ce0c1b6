// Which format becomes which in one step.
import { Agent } from '../adl/agent.ts'
import { Card } from '../card/card.ts'
import { toCard as toA2a } from './a2a/export.ts'
import { fromCard as fromA2a } from './a2a/import.ts'
import { cardToA2a } from './card/a2a-export.ts'
import { cardFromA2a } from './card/a2a-import.ts'
import { cardToAdl } from './card/adl-export.ts'
import { cardFromAdl } from './card/adl-import.ts'
import { cardToMcp } from './card/mcp-export.ts'
import { cardFromMcp } from './card/mcp-import.ts'
import { cardFromServer, cardToServer } from './card/server.ts'
import type { Converter, ExportJob, Product } from './job.ts'
import { fromClient, toClient } from './mcp/client.ts'
import { toBundle } from './mcp/export.ts'
import { fromBundle } from './mcp/import.ts'
import { fromServer, toServer } from './mcp/server.ts'
import { cardFromDescriptor, cardToDescriptor } from './oasf/descriptor.ts'
import { cardToRecord } from './oasf/record-export.ts'
import { cardFromRecord } from './oasf/record-import.ts'
import type { Format } from './types.ts'
import { cardToWellknown } from './wellknown/export.ts'
import { cardFromWellknown } from './wellknown/import.ts'

type Converters = Readonly<Partial<Record<Format, Converter>>>

const ofDefinition =
  (make: (job: ExportJob) => Product): Converter =>
  (job) =>
    make({ ...job, agent: new Agent(job.document) })

const ofCard =
  (make: Converter): Converter =>
  (job) => {
    const seq = new Card(job.document).seq?.value ?? 0n
    if (seq > Number.MAX_SAFE_INTEGER) job.ledger.dropped('/seq', 'it would be rounded, and order cards wrongly')
    return make(job)
  }

/** What becomes of an agent definition. */
const FROM_ADL: Converters = {
  'a2a-1.0': ofDefinition((job) => toA2a(job, '1.0')),
  'a2a-0.3': ofDefinition((job) => toA2a(job, '0.3')),
  'mcp-2025-11-25': ofDefinition((job) => toBundle(job, '2025-11-25')),
  'mcp-2026-07-28': ofDefinition((job) => toBundle(job, '2026-07-28')),
  'mcp-server': ofDefinition(toServer),
  'mcp-client': ofDefinition(toClient),
  card: cardFromAdl,
}

/** What becomes an agent definition. */
const TO_ADL: Converters = {
  'a2a-1.0': (job) => fromA2a(job, '1.0'),
  'a2a-0.3': (job) => fromA2a(job, '0.3'),
  'mcp-2025-11-25': (job) => fromBundle(job, '2025-11-25'),
  'mcp-2026-07-28': (job) => fromBundle(job, '2026-07-28'),
  'mcp-server': fromServer,
  'mcp-client': fromClient,
  card: ofCard(cardToAdl),
}

/** What becomes of an Agent Card. */
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

/** What becomes an Agent Card. */
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

/** Formats that others pass through. */
const HUBS = ['card', 'adl'] as const

/** What makes the one of the other, when one step does. */
export function converterOf(from: Format, to: Format): Converter | undefined {
  if (from === 'adl') return FROM_ADL[to]
  if (to === 'adl') return TO_ADL[from]
  if (from === 'card') return FROM_CARD[to]
  return to === 'card' ? TO_CARD[from] : undefined
}

/** The ways from one format to another, the shortest ones only. */
export function routes(from: Format, to: Format): readonly (readonly Format[])[] {
  const exist = (route: readonly Format[]) =>
    route.every((format, i) => i === 0 || converterOf(route[i - 1]!, format) !== undefined)
  const lengths = [
    [[from, to]],
    HUBS.map((hub) => [from, hub, to]),
    [
      [from, ...HUBS, to],
      [from, ...HUBS.toReversed(), to],
    ],
  ]
  for (const candidates of lengths) {
    const found = candidates.filter(exist)
    if (found.length > 0) return found
  }
  return []
}
