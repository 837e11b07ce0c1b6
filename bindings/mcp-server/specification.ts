import { shapeRules, type Words } from '../frame/explain.ts'
import { SERVER_DESCRIPTION, YOUR_HOST, YOUR_NAMESPACE } from '../frame/placeholders.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import type { Specification } from '../frame/specification.ts'
import { camelCase, slug } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { MOST_WORDS, RULES, serverShape } from './rules.ts'
import { type McpServer, SERVER_READING } from './subject.ts'

// Descriptions of MCP servers as a specification of the frame: server.json of the registry, and server cards
// (SEP-2127).

const WORDS: Words = {
  name: 'descriptions of MCP servers',
  rules: shapeRules(FINDINGS.ALL),
  grammar: {
    uri: 'an absolute URI',
    '^[A-Za-z\\d.-]+\\/[\\w.-]+$': 'a reversed domain, a slash and a name, as in com.example/weather',
    '^(?:\\d+x\\d+|any)$': 'a size such as 48x48, or any',
    '^[\\da-f]{64}$': 'the 64 hexadecimal digits of a SHA-256, in small letters',
    '^(?:https?:\\/\\/\\S+|\\{[A-Za-z_]\\w*\\}\\S*)$': 'an address that begins with https:// or with a {variable}',
  },
  spell: camelCase,
  // Both forms allow other members, so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that are not known are ignored' }),
}

export const MCP_SERVER: Specification<McpServer> = {
  ...SERVER_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: serverShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
}

// The starter server.json of `blazon init`.

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
