// What a new settings file lets Claude Code do that the old one did not. In doubt, a change is wider.
import type { Document } from '../document/parse.ts'
import type { ChangeKind } from '../policy/diff/change.ts'
import { isEqual } from '../policy/diff/members.ts'
import { elements, escapeToken, isText, objectOf, type PlacedObject, textIn } from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'
import { covers, type List, type PermissionRule } from './permission-rule.ts'
import { isUnmatched } from './policy.ts'
import { SettingsSubject } from './subject.ts'

export interface SettingsChange {
  readonly kind: ChangeKind
  readonly area: 'allow' | 'ask' | 'deny' | 'mode' | 'folder' | 'hook' | 'member'
  readonly pointer: string
  readonly document: 'old' | 'new'
  readonly detail: string
}

/** From the narrowest to the widest. */
const MODES = ['dontAsk', 'plan', 'default', 'acceptEdits', 'auto', 'bypassPermissions']
/** Members that decide what runs: any change of them needs a review. */
const DECIDING =
  /^(?:sandbox|enableAllProjectMcpServers|enabledMcpjsonServers|enabledPlugins|extraKnownMarketplaces|apiKeyHelper|statusLine|aws\w+|otelHeadersHelper|disable(?:AllHooks|AutoMode)|skip\w+Prompt)$/
/** More rules are compared by their texts alone. */
const MOST_COMPARED = 200

type Add = (kind: ChangeKind, area: SettingsChange['area'], pointer: string, detail: string) => void

/**
 * Compares two settings files.
 *
 * @throws {TypeError} when a root is not a JSON object.
 */
export function diffSettings(before: Document, after: Document): readonly SettingsChange[] {
  const [old, now] = [new SettingsSubject(before), new SettingsSubject(after)]
  const changes: SettingsChange[] = []
  const inNew: Add = (kind, area, pointer, detail) => changes.push({ kind, area, pointer, document: 'new', detail })
  const inOld: Add = (kind, area, pointer, detail) => changes.push({ kind, area, pointer, document: 'old', detail })
  compareRules(old, now, inOld, inNew)
  compareModes(old, now, inNew)
  const folders = [old, now].map(({ permissions }) => elements(permissions, 'additionalDirectories', isText))
  for (const { pointer, value } of missing(folders[1]!, folders[0]!))
    inNew('widened', 'folder', pointer, `reads ${quoted(value)} without a question`)
  for (const { pointer, value } of missing(folders[0]!, folders[1]!))
    inOld('narrowed', 'folder', pointer, `${quoted(value)} is no folder of the session any more`)
  compareHooks(old.root, now.root, inOld, inNew)
  for (const name of new Set([...Object.keys(old.root.value), ...Object.keys(now.root.value)])) {
    if (name === 'permissions' || name === 'hooks' || isEqual(old.root.value[name], now.root.value[name])) continue
    const kind = DECIDING.test(name) ? 'widened' : 'changed'
    const add = Object.hasOwn(now.root.value, name) ? inNew : inOld
    add(
      kind,
      'member',
      `/${escapeToken(name)}`,
      `${quoted(name)} differs${kind === 'widened' ? ': it decides what runs' : ''}`,
    )
  }
  return changes
}

function missing<Value extends { readonly value: string }>(list: readonly Value[], other: readonly Value[]): Value[] {
  const there = new Set(other.map(({ value }) => value))
  return list.filter(({ value }) => !there.has(value))
}

function compareRules({ rules: old }: SettingsSubject, { rules: now }: SettingsSubject, inOld: Add, inNew: Add): void {
  const added = (list: List) => without(now[list], old[list])
  const removed = (list: List) => without(old[list], now[list])
  for (const one of added('allow')) {
    const known = isUnmatched(one) ? 'never matches' : includedBy(old.allow, one)
    inNew(known === undefined ? 'widened' : 'added', 'allow', one.pointer, known ?? `allows ${shownRule(one)}`)
  }
  for (const one of removed('allow')) {
    const known = includedBy(now.allow, one)
    inOld(
      known === undefined ? 'narrowed' : 'removed',
      'allow',
      one.pointer,
      known ?? `no longer allows ${shownRule(one)}`,
    )
  }
  for (const one of removed('deny')) {
    const known = isUnmatched(one) ? 'never matched' : includedBy(now.deny, one)
    inOld(
      known === undefined ? 'widened' : 'removed',
      'deny',
      one.pointer,
      known ?? `no longer denies ${shownRule(one)}`,
    )
  }
  for (const one of removed('ask')) {
    const known = includedBy([...now.ask, ...now.deny], one)
    inOld(
      known === undefined ? 'widened' : 'removed',
      'ask',
      one.pointer,
      known ?? `no longer asks for ${shownRule(one)}`,
    )
  }
  for (const list of ['deny', 'ask'] as const)
    for (const one of added(list))
      inNew(
        isUnmatched(one) ? 'added' : 'narrowed',
        list,
        one.pointer,
        `${list === 'deny' ? 'denies' : 'asks for'} ${shownRule(one)}`,
      )
}

const shownRule = ({ text }: PermissionRule) => quoted(cut(text, 200))

function without(list: readonly PermissionRule[], other: readonly PermissionRule[]): PermissionRule[] {
  const there = new Set(other.map(({ text }) => text))
  return list.filter(({ text }) => !there.has(text))
}

function includedBy(rules: readonly PermissionRule[], one: PermissionRule): string | undefined {
  const by = rules.slice(0, MOST_COMPARED).find((other) => covers(other, one))
  return by && `${shownRule(one)}, which ${shownRule(by)} includes`
}

function compareModes(old: SettingsSubject, now: SettingsSubject, inNew: Add): void {
  const modeOf = ({ permissions }: SettingsSubject) =>
    textIn(permissions, 'defaultMode')?.replace('manual', 'default') ?? 'default'
  const [before, after] = [modeOf(old), modeOf(now)]
  if (before === after) return
  const isWider = MODES.indexOf(after) > MODES.indexOf(before) || !MODES.includes(after)
  inNew(
    isWider ? 'widened' : 'narrowed',
    'mode',
    '/permissions/defaultMode',
    `the mode was ${quoted(before)}, and is ${quoted(after)}`,
  )
}

/** A hook runs a program without a question, and one that is gone denies nothing any more. */
function compareHooks(old: PlacedObject, now: PlacedObject, inOld: Add, inNew: Add): void {
  const [before, after] = [old, now].map(({ value }) => objectOf(value['hooks'])) as [object, object]
  for (const [event, groups] of Object.entries(after))
    if (!isEqual(groups, objectOf(before)[event]))
      inNew('widened', 'hook', `/hooks/${escapeToken(event)}`, `runs other hooks for ${quoted(event)}`)
  for (const event of Object.keys(before))
    if (!Object.hasOwn(after, event))
      inOld('widened', 'hook', `/hooks/${escapeToken(event)}`, `runs no hooks for ${quoted(event)} any more`)
}
