// Rules for the configuration of Codex, each from its documentation or sources: docs/guide/runners.md names them.
import { renameMember } from '../document/fixes.ts'
import { type Report, type Rule, rule } from '../frame/subject.ts'
import { refuseAddress } from '../net/guard.ts'
import { hostOf } from '../text/host-name.ts'
import {
  elements,
  escapeToken,
  isText,
  objectMember,
  objectsIn,
  type PlacedObject,
  textIn,
  textMember,
  valueIn,
} from '../text/members.ts'
import { REVOKE_SECRET, searchSecrets } from '../text/secret-shapes.ts'
import { orMeant, quoted, suggest } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { LIMITS, MEMBERS, OF_ADDRESSES, OF_COMMANDS, SERVER_MEMBERS } from './names.ts'
import schema from './schema.json' with { type: 'json' }
import type { CodexSubject } from './subject.ts'

const { sandbox_workspace_write, shell_environment_policy } = schema.properties
const WRITE_MEMBERS = Object.keys(sandbox_workspace_write.properties)
const SHELL_MEMBERS = Object.keys(shell_environment_policy.properties)
/** Each suggestion compares a name with all known ones. */
const MOST_SUGGESTIONS = 20
const FULL_ACCESS = 'danger-full-access'

/** In the order of the document. */
export const RULES: readonly Rule<CodexSubject>[] = [
  rule(FINDINGS.UNKNOWN_MEMBER, (subject, report) => {
    let suggestions = 0
    for (const [table, known] of tablesOf(subject))
      for (const name of unknownIn(table, known)) {
        // A later version may have a key of the root in profiles.
        if (MEMBERS.includes(name) || homeOf(name, known) !== undefined || ++suggestions > MOST_SUGGESTIONS) continue
        const meant = name === 'headers' && known === SERVER_MEMBERS ? 'http_headers' : nearest(name, known)
        if (meant === undefined) continue
        const pointer = `${table.pointer}/${escapeToken(name)}`
        const isFree = !Object.hasOwn(table.value, meant) && typeof table.value[name] !== 'object'
        report(pointer, `Codex ignores ${quoted(name)}${orMeant(meant)}`, {
          atName: true,
          ...(isFree && { fix: () => renameMember(subject.document, pointer, meant) }),
        })
      }
  }),
  rule(FINDINGS.MISPLACED_MEMBER, (subject, report) => {
    for (const [table, known] of [...tablesOf(subject), ...otherTables(subject)])
      for (const name of unknownIn(table, known)) {
        const home = homeOf(name, known)
        if (home === undefined) continue
        report(`${table.pointer}/${escapeToken(name)}`, `${quoted(name)} counts ${home}`, { atName: true })
      }
  }),
  rule(FINDINGS.NO_LIMITS, (subject, report) => {
    for (const holder of subject.holders)
      if (isOpen(subject, holder) && policyOf(subject, holder) === 'never')
        report(placeOfMode(holder), 'Every command runs without a sandbox, and without a question')
  }),
  rule(FINDINGS.NO_SANDBOX, (subject, report) => {
    for (const holder of subject.holders)
      if (isOpen(subject, holder) && policyOf(subject, holder) !== 'never' && setsMode(holder))
        report(placeOfMode(holder), 'Commands run without a sandbox')
  }),
  rule(FINDINGS.TWO_SANDBOXES, ({ root, holders }, report) => {
    const [old] = holders.flatMap((holder) => textMember(holder, 'sandbox_mode') ?? [])
    const [unused] = ['default_permissions', 'permissions'].filter((name) => Object.hasOwn(root.value, name))
    if (old !== undefined && unused !== undefined)
      report(`/${unused}`, 'sandbox_mode counts instead', {
        atName: true,
        related: [{ pointer: old.pointer, message: 'the mode' }],
      })
  }),
  rule(FINDINGS.IDLE_SETTINGS, ({ workspaceWrite, holders }, report) => {
    const modes = holders.flatMap((holder) => textIn(holder, 'sandbox_mode') ?? [])
    if (workspaceWrite !== undefined && modes.length > 0 && !modes.includes('workspace-write'))
      report(workspaceWrite.pointer, `No sandbox_mode is workspace-write, but ${quoted(modes[0]!)}`, { atName: true })
  }),
  rule(FINDINGS.WIDE_ROOT, ({ workspaceWrite }, report) => {
    for (const { value, pointer } of elements(workspaceWrite, 'writable_roots', isText))
      if (WIDE.test(value)) report(pointer, `Commands may write anywhere in ${quoted(value)}`)
  }),
  rule(FINDINGS.TRANSPORT, ({ servers }, report) => {
    for (const server of servers) {
      const [own, other] = Object.hasOwn(server.value, 'command')
        ? ['command', OF_ADDRESSES]
        : Object.hasOwn(server.value, 'url')
          ? ['url', OF_COMMANDS]
          : ['', ['bearer_token']]
      for (const name of other)
        if (Object.hasOwn(server.value, name))
          report(`${server.pointer}/${name}`, `A server${own && ` with ${own}`} has no ${name}`, { atName: true })
    }
  }),
  rule(FINDINGS.LITERAL_SECRET, ({ root }, report) => {
    searchSecrets(root.value, (at, what) => report(at, `It looks like ${what}`, { fix: REVOKE_SECRET }))
  }),
  rule(FINDINGS.PLAIN_HTTP, ({ servers }, report) => {
    for (const url of servers.flatMap((server) => textMember(server, 'url') ?? [])) {
      const host = url.value.startsWith('http://') ? hostOf(url.value) : undefined
      if (host !== undefined && refuseAddress(host) === undefined)
        report(url.pointer, `Expected https, found ${quoted(url.value)}`)
    }
  }),
  rule(FINDINGS.UNKNOWN_PROFILE, ({ root, profiles }, report) => {
    const profile = textMember(root, 'profile')
    const names = profiles.map(({ name }) => name)
    if (profile !== undefined && names.length > 0 && !names.includes(profile.value))
      report(profile.pointer, `There is no profile ${quoted(profile.value)}${orMeant(suggest(profile.value, names))}`)
  }),
  rule(FINDINGS.IDLE_DOMAINS, ({ root, permissions }, report: Report) => {
    const proxy = valueIn(objectMember(root, 'features'), 'network_proxy')
    if (proxy !== undefined && proxy !== false) return
    for (const profile of permissions) {
      const network = objectMember(profile, 'network')
      const domains = objectMember(network, 'domains')
      if (domains !== undefined && network!.value['enabled'] === true)
        report(domains.pointer, 'Expected features.network_proxy = true', { atName: true })
    }
  }),
  rule(FINDINGS.RETIRED_POLICY, ({ holders }, report) => {
    for (const policy of holders.flatMap((holder) => textMember(holder, 'approval_policy') ?? []))
      if (policy.value === 'untrusted') report(policy.pointer, 'Codex no longer supports "untrusted"')
  }),
]

/** Folders that hold the files of the system, or of all users. */
const WIDE = /^(?:\/|~\/?|\/(?:etc|home|Users|root|usr|var)\/?|[A-Za-z]:[\\/]?)$/

type Table = readonly [table: PlacedObject, known: readonly string[]]

/** The tables whose keys are all known. */
function tablesOf({ root, workspaceWrite, profiles, servers }: CodexSubject): readonly Table[] {
  const shell = objectMember(root, 'shell_environment_policy')
  return [
    ...[root, ...profiles].map((table) => [table, MEMBERS] as const),
    ...(shell === undefined ? [] : [[shell, SHELL_MEMBERS] as const]),
    ...(workspaceWrite === undefined ? [] : [[workspaceWrite, WRITE_MEMBERS] as const]),
    ...servers.map((server) => [server, SERVER_MEMBERS] as const),
  ]
}

/** Tables that may end with keys of the root. Those with names of the user's own are left out. */
function otherTables({ root }: CodexSubject): readonly Table[] {
  const names = ['features', 'history', 'notice', 'otel', 'tools', 'tui', 'windows']
  const tables = names.flatMap((name) => objectMember(root, name) ?? [])
  return [...tables, ...objectsIn(objectMember(root, 'model_providers'))].map((table) => [table, []])
}

const unknownIn = ({ value }: PlacedObject, known: readonly string[]) =>
  Object.keys(value).filter((name) => !known.includes(name))

/** Where a key belongs that is not in its table. */
function homeOf(name: string, known: readonly string[]): string | undefined {
  const isClosed = known !== MEMBERS && known.length > 0
  if (LIMITS.includes(name) || (isClosed && MEMBERS.includes(name)))
    return 'at the root: write it before the first header'
  return known !== WRITE_MEMBERS && WRITE_MEMBERS.includes(name) ? 'in [sandbox_workspace_write] only' : undefined
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

/** The known name that differs in its notation, or by two letters. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 60) return undefined
  const meant = known.find((one) => plain(one) === plain(name)) ?? suggest(name, known)
  return meant !== undefined && Math.abs(meant.length - name.length) <= 2 ? meant : undefined
}

const setsMode = (holder: PlacedObject) => placeOfMode(holder) !== holder.pointer

/** Where a table sets how open Codex is. */
function placeOfMode(holder: PlacedObject): string {
  const names = ['sandbox_mode', 'default_permissions', 'approval_policy']
  return names.flatMap((name) => textMember(holder, name) ?? [])[0]?.pointer ?? holder.pointer
}

/** True when the sandbox is off in a table that says so, or that changes the policy of one that does. */
function isOpen({ root }: CodexSubject, holder: PlacedObject): boolean {
  const mode = textIn(holder, 'sandbox_mode') ?? textIn(root, 'sandbox_mode')
  const open = mode === undefined ? textIn(root, 'default_permissions') === `:${FULL_ACCESS}` : mode === FULL_ACCESS
  return open && setsMode(holder)
}

const policyOf = ({ root }: CodexSubject, holder: PlacedObject) =>
  valueIn(holder, 'approval_policy') ?? valueIn(root, 'approval_policy')
