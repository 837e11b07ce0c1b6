import type { Document } from '../document/parse.ts'
import { shapeRules, type Words } from '../frame/explain.ts'
import { SERVER_DESCRIPTION, YOUR_HOST, YOUR_NAMESPACE } from '../frame/placeholders.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { objectAtRoot, type Reading } from '../frame/subject.ts'
import { elements, isObject, objectMember, type PlacedObject, textMember } from '../text/members.ts'
import { camelCase, quoted, slug } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { CARD_SCHEMA, ROOT_OBJECT } from './findings.ts'
import { MOST_WORDS, RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }

export const SCHEMAS = 'https://static.modelcontextprotocol.io/schemas/'
const CARD = '/server-card.schema.json'
const FIRST_CARD = `${SCHEMAS}v1${CARD}`

/** A description of an MCP server as rules read it: a server.json of the registry, or a server card. */
export class McpServer {
  readonly document: Document
  readonly root: PlacedObject
  /** True for a server card, which its $schema identifies. */
  readonly isCard: boolean
  readonly packages: readonly PlacedObject[]
  readonly remotes: readonly PlacedObject[]
  readonly icons: readonly PlacedObject[]

  /** @throws {TypeError} when the document is not a JSON object. */
  constructor(document: Document) {
    const root = objectAtRoot(document)
    this.document = document
    this.root = root
    this.isCard = (textMember(root, '$schema')?.value ?? '').split('#', 1)[0]!.endsWith(CARD)
    this.packages = elements(root, 'packages', isObject)
    this.remotes = elements(root, 'remotes', isObject)
    this.icons = elements(root, 'icons', isObject)
  }
}

/** The arguments of a package: those of its runtime, and its own. */
export function argumentsOf(of: PlacedObject): PlacedObject[] {
  return ['runtimeArguments', 'packageArguments'].flatMap((name) => elements(of, name, isObject))
}

/** Everything that users fill in to install or connect, with the variables inside. */
export function inputsOf({ packages, remotes }: McpServer): PlacedObject[] {
  const headers = (of: PlacedObject | undefined) => elements(of, 'headers', isObject)
  const ofRemotes = remotes.flatMap((remote) => [...variablesOf(remote), ...headers(remote)])
  const ofPackages = packages.flatMap((one) => [
    ...headers(objectMember(one, 'transport')),
    ...argumentsOf(one),
    ...elements(one, 'environmentVariables', isObject),
  ])
  return [...ofRemotes, ...ofPackages].flatMap((input) => [input, ...variablesOf(input)])
}

function variablesOf(of: PlacedObject): PlacedObject[] {
  const variables = objectMember(of, 'variables')
  return Object.keys(variables?.value ?? {}).flatMap((name) => objectMember(variables, name) ?? [])
}

/** How descriptions of MCP servers are parsed. */
export const SERVER_READING: Reading<McpServer> = {
  kind: 'mcp-server',
  rootObject: ROOT_OBJECT,
  subject: (document) => new McpServer(document),
  otherVersion({ root, isCard }) {
    const schema = textMember(root, '$schema')
    if (!isCard || schema === undefined || schema.value === FIRST_CARD) return undefined
    const detail = `Expected ${FIRST_CARD}, found ${quoted(schema.value)}`
    return { rule: CARD_SCHEMA, pointer: schema.pointer, detail }
  },
}

// Descriptions of MCP servers as a specification of the frame: server.json of the registry, and server cards
// (SEP-2127).

export const serverShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'descriptions of MCP servers',
  rules: shapeRules([
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.ENUM_VALUE,
    FINDINGS.VALUE_PATTERN,
  ]),
  byFormat: {},
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
