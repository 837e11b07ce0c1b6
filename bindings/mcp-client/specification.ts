// Configurations of MCP clients as a specification of the frame. The rules are those of the clients' own pages: Claude
// Code (code.claude.com/docs/en/mcp), VS Code (docs/copilot/reference/mcp-configuration.md), Cursor (cursor.com/docs/mcp).
import { renameMember } from '../document/fixes.ts'
import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { type Report, RootSubject, type Rule, rule } from '../frame/subject.ts'
import { refuseAddress } from '../net/guard.ts'
import { hostOf } from '../text/host-name.ts'
import { elements, escapeToken, isObject, member, objectsIn, repetitions, textIn, textMember } from '../text/members.ts'
import { REVOKE_SECRET, searchSecrets } from '../text/secret-shapes.ts'
import { orMeant, quoted, suggest } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import schema from './schema.json' with { type: 'json' }

const fileShape = shapeOnce(schema)
const serverShape = shapeOnce({ ...schema.$defs.server, $defs: schema.$defs })

type Server = ReturnType<typeof objectsIn>[number]

/** A configuration as rules read it. */
class McpClient extends RootSubject {
  /** Plugins of Claude Code name their servers at the root. */
  readonly isFlat = !['mcpServers', 'servers', 'inputs'].some((name) => Object.hasOwn(this.root.value, name))
  readonly servers: readonly Server[] = this.isFlat
    ? objectsIn(this.root)
    : ['mcpServers', 'servers'].flatMap((name) => {
        const value = member(this.root.value, name)
        return isObject(value) ? objectsIn({ pointer: `/${name}`, value }) : []
      })
}

const WORDS: Words = {
  name: 'configurations of MCP clients',
  rules: shapeRules(FINDINGS.ALL),
  spell: (name) => name,
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that are not known are ignored' }),
}

const LOCAL = ['stdio', 'local']
const REMOTE = ['http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http', 'ws']
/** Servers of the program itself, which need neither. */
const INNER = ['sdk', 'builtin', 'inMemory']
const TYPES = [...LOCAL, ...REMOTE, ...INNER]
/** What Gemini CLI and Windsurf call an address. */
const ADDRESSES = ['url', 'httpUrl', 'serverUrl']
/** The members that most clients know. Only names that are nearly one of these are reported. */
const KNOWN = [...Object.keys(schema.$defs.server.properties), ...ADDRESSES, 'disabled', 'timeout', 'autoApprove']
/** `cmd` resembles `cwd`, but stands for a command. */
const MEANT = KNOWN.filter((name) => name !== 'cwd')

const addressOf = (server: Server) => ADDRESSES.flatMap((name) => textMember(server, name) ?? [])[0]
const isStarted = (server: Server) => has(server, 'command') || addressOf(server) !== undefined
const has = ({ value }: Server, name: string) => Object.hasOwn(value, name)

/** What a server lacks to be reached: one of these members. */
function lackOf(server: Server): { readonly names: readonly string[]; readonly words: string } | undefined {
  const type = textIn(server, 'type') ?? textIn(server, 'transport') ?? ''
  const [names, words] = LOCAL.includes(type)
    ? [['command'], `a command for ${type}`]
    : REMOTE.includes(type)
      ? [ADDRESSES, `a url for ${type}`]
      : [['command', ...ADDRESSES], 'a command or a url']
  return INNER.includes(type) || names.some((name) => has(server, name)) ? undefined : { names, words }
}

/** Reports the misspelt members of a server: those that it needs to be reached, or the others. Returns whether it has any. */
function reportMisspelt({ document }: McpClient, server: Server, isNeeded: boolean, report: Report): boolean {
  const { names: needed = [] } = lackOf(server) ?? {}
  const found = Object.keys(server.value).flatMap((name) => {
    const meant = KNOWN.includes(name) ? undefined : suggest(name, MEANT)
    if (meant === undefined || has(server, meant) || needed.includes(meant) !== isNeeded) return []
    return [[name, meant] as const]
  })
  for (const [name, meant] of found) {
    const pointer = `${server.pointer}/${escapeToken(name)}`
    report(pointer, `No client knows ${quoted(name)}`, {
      atName: true,
      fix: () => renameMember(document, pointer, meant),
    })
  }
  return found.length > 0
}

const noStart = rule<McpClient>(FINDINGS.NO_START, (subject, report) => {
  for (const server of subject.servers) {
    const lack = lackOf(server)
    if (lack !== undefined && !reportMisspelt(subject, server, true, report))
      report(server.pointer, `Expected ${lack.words}`)
  }
})

const transports = rule<McpClient>(FINDINGS.TRANSPORT, ({ servers }, report) => {
  for (const server of servers) {
    const type = textMember(server, 'type')
    if (type === undefined || TYPES.includes(type.value)) continue
    const near = suggest(type.value, TYPES)
    report(type.pointer, `${quoted(type.value)} is not a transport${orMeant(near)}`)
  }
})

const plainHttp = rule<McpClient>(FINDINGS.PLAIN_HTTP, ({ servers }, report) => {
  for (const url of servers.flatMap((server) => addressOf(server) ?? [])) {
    const host = url.value.startsWith('http://') ? hostOf(url.value) : undefined
    if (host !== undefined && !host.includes('$') && refuseAddress(host) === undefined)
      report(url.pointer, `Expected https, found ${quoted(url.value)}`)
  }
})

const repeated = rule<McpClient>(FINDINGS.REPEATED_SERVER, ({ servers }, report) => {
  const started = servers.filter((server) => server.value['disabled'] !== true && isStarted(server))
  const keyOf = (server: Server) => {
    const { command, args, env, cwd, headers } = server.value
    return JSON.stringify([command, args, env, cwd, headers, addressOf(server)?.value])
  }
  for (const [one, first] of repetitions(started, keyOf))
    report(one.pointer, `It is the same server as ${quoted(first.name)}`)
})

const INPUT = /\$\{input:([^}]*)\}/g
const MOST_INPUTS = 100

const undefinedInput = rule<McpClient>(FINDINGS.UNDEFINED_INPUT, ({ root, servers }, report) => {
  const known = new Set(elements(root, 'inputs', isObject).map((input) => textIn(input, 'id')))
  for (const { value, pointer } of servers) {
    const used = new Set(Array.from(JSON.stringify(value).matchAll(INPUT), ([, id]) => id!))
    for (const id of [...used].filter((id) => !known.has(id)).slice(0, MOST_INPUTS))
      report(pointer, `No entry of inputs has the id ${quoted(id)}`)
  }
})

const RULES: readonly Rule<McpClient>[] = [
  noStart,
  rule(FINDINGS.TWO_STARTS, ({ servers }, report) => {
    for (const server of servers) {
      const address = addressOf(server)
      if (address !== undefined && has(server, 'command')) report(address.pointer, 'The server also has a command')
    }
  }),
  transports,
  rule(FINDINGS.NO_TRANSPORT, ({ document, servers }, report) => {
    if (!/(?:^|[\\/])\.mcp\.json$/.test(document.file ?? '')) return
    for (const server of servers) {
      const url = textMember(server, 'url')
      if (url !== undefined && !['type', 'transport', 'command'].some((name) => has(server, name)))
        report(url.pointer, 'Expected a type: http or sse')
    }
  }),
  rule(FINDINGS.LITERAL_SECRET, ({ servers }, report: Report) => {
    for (const { value, pointer } of servers)
      searchSecrets(value, (at, what) => report(`${pointer}${at}`, `It looks like ${what}`, { fix: REVOKE_SECRET }))
  }),
  plainHttp,
  rule(FINDINGS.MISSPELT_MEMBER, (subject, report) => {
    for (const server of subject.servers) reportMisspelt(subject, server, false, report)
  }),
  repeated,
  undefinedInput,
]

export const MCP_CLIENT: Specification<McpClient> = {
  kind: 'mcp-client',
  rootObject: FINDINGS.ROOT_OBJECT,
  subject: (document) => new McpClient(document),
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root, servers, isFlat }) =>
    isFlat
      ? servers.map(({ value, pointer }) => ({ shape: serverShape(), value, pointer }))
      : [{ shape: fileShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
}
