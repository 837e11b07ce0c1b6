// Lockfiles as a specification of the frame.
import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { type Reading, RootSubject, rule } from '../../frame/subject.ts'
import type { McpResult, McpSession } from '../../mcp/peer.ts'
import { escapeToken, isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { counted, quoted } from '../../text/words.ts'
import type { Fault } from '../files.ts'
import { HIDDEN_TEXT } from '../findings.ts'
import { hiddenIn } from '../words.ts'
import * as FINDINGS from './findings.ts'
import type { ServerDescription } from './lock.ts'
import { parseVersion } from './range.ts'
import schema from './schema.json' with { type: 'json' }

const HASH = '`sha256:` and 64 hexadecimal digits in lower case'

const WORDS: Words = {
  name: 'lockfiles',
  rules: shapeRules(FINDINGS.ALL),
  grammar: {
    'date-time': 'a time such as 2025-01-29T10:30:00Z',
    [schema.$defs.hash.pattern]: HASH,
    [schema.$defs.file.pattern]: HASH,
  },
  // Unknown members are ignored, so none is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'unknown members are ignored' }),
}

const shape = shapeOnce(schema)

export const LOCK_READING: Reading<RootSubject> = {
  kind: 'lock',
  rootObject: FINDINGS.ROOT_OBJECT,
  subject: (document) => new RootSubject(document),
}

export const LOCK: Specification<RootSubject> = {
  ...LOCK_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: shape(), value: root.value, pointer: '' }],
  rules: [
    rule(FINDINGS.LOCKED_VERSION, ({ root }, report) => {
      for (const section of ['tools', 'agents']) {
        for (const [name, entry] of Object.entries(objectOf(member(root.value, section)))) {
          const version = member(objectOf(entry), 'version')
          if (!isText(version) || parseVersion(version) !== undefined) continue
          report(
            `/${section}/${escapeToken(name)}/version`,
            `Expected a version such as 1.2.0, found ${quoted(version)}`,
          )
        }
      }
    }),
  ],
  names: FINDINGS.names,
}

// What a lockfile pins of an MCP server: its tools and its instructions, which models read.

const MOST_FAULTS = 20

/**
 * Asks a server for what a lockfile pins. A list that is too long, or has tools without a name or two of one name, is a
 * fault, because its pins would not cover every tool.
 */
export async function pinServer(session: McpSession): Promise<McpResult<ServerDescription>> {
  const listed = await session.listTools()
  if ('fault' in listed) return listed
  const { tools, isWhole } = listed.ok
  if (!isWhole) return pinFault('the list of tools is too long')
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const name = member(objectOf(tool), 'name')
    if (!isText(name)) return pinFault(`tool ${index} has no name`)
    if (names.has(name)) return pinFault(`two tools have the name ${quoted(name)}`)
    names.add(name)
  }
  const { instructions } = session
  return { ok: { ...(instructions !== undefined && { instructions }), tools } }
}

const pinFault = (detail: string) => ({ fault: { reason: 'invalid', detail } }) as const

/** The hidden characters in a server's instructions and tools, at most 20 places. The server is a key of mcp_servers. */
export function hiddenInServer(server: string, { instructions = '', tools }: ServerDescription): readonly Fault[] {
  const faults: Fault[] = []
  const add = (place: string, texts: Iterable<string>) => {
    let count = 0
    for (const text of texts) count += hiddenIn(text)
    if (count === 0 || faults.length === MOST_FAULTS) return
    const detail = `${place} of the MCP server ${quoted(server)} has ${counted(count, 'hidden character')}`
    faults.push({ rule: HIDDEN_TEXT, pointer: `/mcp_servers/${escapeToken(server)}`, detail })
  }
  add('The text `instructions`', [instructions])
  for (const tool of tools.filter(isObject)) add(`The tool ${quoted(String(tool['name']))}`, allTexts(tool))
  return faults
}

function* allTexts(value: unknown): Generator<string> {
  if (isText(value)) yield value
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value as JsonObject)) {
      yield name
      yield* allTexts(inner)
    }
}
