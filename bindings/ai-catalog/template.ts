// The starter catalog of `blazon init`.
import { descriptionOf, YOUR_COMPANY, YOUR_HOST, YOUR_QUERY } from '../frame/placeholders.ts'
import { slug } from '../text/words.ts'

/** Returns a catalog of one agent for its publisher to complete. */
export function newCatalog(
  name: string,
  { description = descriptionOf(name) }: { description?: string | undefined } = {},
): object {
  return {
    specVersion: '1.0',
    host: { displayName: YOUR_COMPANY, identifier: `did:web:${YOUR_HOST}` },
    entries: [
      {
        identifier: `urn:air:${YOUR_HOST}:agents:${slug(name, 'agent')}`,
        displayName: name,
        type: 'application/a2a-agent-card+json',
        url: `https://${YOUR_HOST}/.well-known/agent-card.json`,
        description,
        representativeQueries: [YOUR_QUERY, YOUR_QUERY],
      },
    ],
  }
}
