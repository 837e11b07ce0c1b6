// Rules for agent.yaml and sub-agents, each by itself.
import { placeholderRule } from '../frame/placeholders.ts'
import { type Rule, rule } from '../frame/subject.ts'
import { checkSchema } from '../schema/schema.ts'
import {
  elements,
  isObject,
  isText,
  member,
  objectMember,
  objectsIn,
  type PlacedObject,
  textMember,
} from '../text/members.ts'
import { isDeviceName } from '../text/safe-path.ts'
import { quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import type { Agent } from './folder.ts'
import { INVALID_RANGE } from './lock/findings.ts'
import { parseRange } from './lock/range.ts'
import { hiddenText, launchedPackages, literalSecret, reportTwice } from './words.ts'

/** The lists without an order, and the member by which their elements are known. `*` is each member. */
const SETS: readonly (readonly [path: string, key?: string])[] = [
  ['protocols', 'name'],
  ['skills', 'name'],
  ['permissions/required'],
  ['permissions/optional'],
  ['permissions/*/channels'],
  ['permissions/background/wake_triggers', 'schedule'],
  ['context/compaction/preserve'],
  ['context/inject'],
  ['constraints/sandbox/allowed_paths'],
  ['constraints/sandbox/allowed_urls'],
  ['mcp_servers/*/tools'],
]

const placeholder = placeholderRule<Agent>(FINDINGS.PLACEHOLDER, [
  [['description'], 'what the agent does'],
  [['developer'], 'your name as a developer'],
])

export const RULES: readonly Rule<Agent>[] = [
  rule(FINDINGS.RESERVED_NAME, ({ root }, report) => {
    for (const member of ['name', 'developer']) {
      const name = textMember(root, member)
      if (name !== undefined && isDeviceName(name.value))
        report(name.pointer, `${quoted(name.value)} is the name of a device on Windows`)
    }
  }),
  rule(FINDINGS.DUPLICATE_TOOL, (agent, report) => {
    const listed = agent.tools.flatMap((tool) => textMember(tool, 'name') ?? [])
    const mapped = ['http_tools', 'bash_tools'].flatMap((map) => agent.named(map))
    const names = [...listed, ...mapped.map(({ name, pointer }) => ({ value: name, pointer }))]
    reportTwice(names, 'tool', report)
  }),
  rule(INVALID_RANGE, (agent, report) => {
    for (const tool of agent.tools) {
      const version = textMember(tool, 'version')
      if (version !== undefined && parseRange(version.value) === undefined)
        report(version.pointer, `Expected a range such as ^1.2.0, found ${quoted(version.value)}`)
    }
  }),
  rule(FINDINGS.TOOL_SCHEMA, (agent, report) => {
    const owners = [...agent.tools, ...['http_tools', 'bash_tools', 'ui_components'].flatMap((map) => agent.named(map))]
    for (const { value, pointer } of owners)
      for (const name of ['input_schema', 'output_schema', 'props']) {
        const schema = member(value, name)
        const [problem] = isObject(schema) ? checkSchema(schema) : []
        if (problem === undefined) continue
        const place = problem.pointer.startsWith('/') ? problem.pointer : ''
        report(`${pointer}/${name}${place}`, problem.message)
      }
  }),
  rule(FINDINGS.DUPLICATE_ENTRY, ({ root, staticAgents }, report) => {
    const check = (owner: PlacedObject, name: string, key?: string) => {
      const texts = elements(owner, name, isText)
      const keyed =
        key === undefined ? [] : elements(owner, name, isObject).flatMap((one) => textMember(one, key) ?? [])
      reportTwice([...texts, ...keyed], 'entry', report)
    }
    for (const [path, key] of SETS) {
      const names = path.split('/')
      const list = names.pop()!
      let owners: readonly PlacedObject[] = [root]
      for (const name of names)
        owners = owners.flatMap((owner) => (name === '*' ? objectsIn(owner) : (objectMember(owner, name) ?? [])))
      for (const owner of owners) check(owner, list, key)
    }
    for (const agent of staticAgents) check(agent, 'depends_on')
  }),
  rule(FINDINGS.MCP_SERVER, (agent, report) => {
    for (const { value, pointer } of agent.named('mcp_servers')) {
      const has = (name: string) => Object.hasOwn(value, name)
      if (has('command') === has('url'))
        report(pointer, `Expected command or url, found ${has('command') ? 'both' : 'neither'}`)
    }
  }),
  rule(FINDINGS.UNPINNED_LAUNCHER, (agent, report) => {
    for (const owner of [...agent.named('mcp_servers'), ...agent.named('bash_tools')]) {
      const command = textMember(owner, 'command')
      if (command === undefined) continue
      const args = elements(owner, 'args', isText).map(({ value }) => value)
      for (const { launcher, name, isPinned } of launchedPackages(command.value, args)) {
        if (isPinned) continue
        const detail = `${launcher} fetches ${quoted(name)}, whatever its newest version is at that time`
        const form = /docker|podman/.test(launcher) ? `${name}@sha256:...` : 'the version after the name, as in @1.2.0'
        report(command.pointer, detail, { fix: { hint: `write ${form}, or install it before` } })
      }
    }
  }),
  rule(FINDINGS.LOCATION_PERMISSION, ({ root }, report) => {
    const context = objectMember(root, 'context')
    const location = elements(context, 'inject', isText).find(({ value }) => value === 'location')
    const permissions = objectMember(root, 'permissions')
    const asked = ['required', 'optional'].flatMap((list) => elements(permissions, list, isText))
    if (location !== undefined && !asked.some(({ value }) => value === 'location'))
      report(location.pointer, "Expected 'location' in permissions.required or permissions.optional")
  }),
  literalSecret,
  hiddenText,
  placeholder,
]
