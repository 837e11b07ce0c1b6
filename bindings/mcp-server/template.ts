// The starter server.json of `blazon init`.
import { SERVER_DESCRIPTION, YOUR_HOST, YOUR_NAMESPACE } from '../frame/placeholders.ts'
import { slug } from '../text/words.ts'
import { MOST_WORDS } from './rules.ts'

/** Returns a description of a remote server for its author to complete. */
export function newServer(
  name: string,
  { description = SERVER_DESCRIPTION }: { description?: string | undefined } = {},
): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${YOUR_NAMESPACE}/${slug(name, 'server').slice(0, MOST_WORDS)}`,
    title: [...name].slice(0, MOST_WORDS).join(''),
    description,
    version: '0.1.0',
    remotes: [{ type: 'streamable-http', url: `https://${YOUR_HOST}/mcp` }],
  }
}
