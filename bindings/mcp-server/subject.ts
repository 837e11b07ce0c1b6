import { type Reading, RootSubject } from '../frame/subject.ts'
import { elements, isObject, objectMember, type PlacedObject, textIn, textMember } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { CARD_SCHEMA, ROOT_OBJECT } from './findings.ts'

export const SCHEMAS = 'https://static.modelcontextprotocol.io/schemas/'
const CARD = '/server-card.schema.json'
const FIRST_CARD = `${SCHEMAS}v1${CARD}`

/** A description of an MCP server as rules read it: a server.json of the registry, or a server card. */
export class McpServer extends RootSubject {
  /** True for a server card, which its $schema identifies. */
  readonly isCard = (textIn(this.root, '$schema') ?? '').split('#', 1)[0]!.endsWith(CARD)
  readonly packages = elements(this.root, 'packages', isObject)
  readonly remotes = elements(this.root, 'remotes', isObject)
  readonly icons = elements(this.root, 'icons', isObject)
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
