// What a new settings file lets Claude Code do that the old one did not. In doubt, a change is wider.
import type { Document } from '../document/parse.ts'
import type { ChangeKind } from '../policy/diff/change.ts'
import { isEqual } from '../policy/diff/members.ts'
import { memberChanges, type RunnerChange } from '../policy/sandbox.ts'
import {
  elements,
  escapeToken,
  isText,
  objectOf,
  type PlacedObject,
  type PlacedValue,
  textIn,
  without,
} from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'
import { covers, type List, type PermissionRule } from './permission-rule.ts'
import { isUnmatched } from './policy.ts'
import { SettingsSubject } from './subject.ts'

export type SettingsChange = RunnerChange<'allow' | 'ask' | 'deny' | 'mode' | 'folder' | 'hook' | 'member'>

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
  const pathOf = ({ value }: PlacedValue<string>) => value
  for (const { pointer, value } of missing(folders[1]!, folders[0]!, pathOf))
    inNew('widened', 'folder', pointer, `reads ${quoted(value)} without a question`)
  for (const { pointer, value } of missing(folders[0]!, folders[1]!, pathOf))
    inOld('narrowed', 'folder', pointer, `${quoted(value)} is no folder of the session any more`)
  compareHooks(old.root, now.root, inOld, inNew)
  const rest = [old, now].map(({ root }) => without(root.value, ['permissions', 'hooks']))
  return [...changes, ...memberChanges(rest[0]!, rest[1]!, (name) => !DECIDING.test(name))]
}

/** The entries of a list whose text the other list does not have. */
function missing<Entry>(list: readonly Entry[], other: readonly Entry[], textOf: (entry: Entry) => string): Entry[] {
  const there = new Set(other.map(textOf))
  return list.filter((entry) => !there.has(textOf(entry)))
}

function compareRules({ rules: old }: SettingsSubject, { rules: now }: SettingsSubject, inOld: Add, inNew: Add): void {
  const textOf = ({ text }: PermissionRule) => text
  const added = (list: List) => missing(now[list], old[list], textOf)
  const removed = (list: List) => missing(old[list], now[list], textOf)
  for (const one of added('allow')) {
    const known = isUnmatched(one) ? 'never matches' : includedBy(old.allow, one)
    inNew(known === undefined ? 'widened' : 'added', 'allow', one.pointer, known ?? `allows ${shownRule(one)}`)
  }
  const remove = (list: List, kind: ChangeKind, verb: string, knownOf: (one: PermissionRule) => string | undefined) => {
    for (const one of removed(list)) {
      const known = knownOf(one)
      inOld(known === undefined ? kind : 'removed', list, one.pointer, known ?? `no longer ${verb} ${shownRule(one)}`)
    }
  }
  remove('allow', 'narrowed', 'allows', (one) => includedBy(now.allow, one))
  remove('deny', 'widened', 'denies', (one) => (isUnmatched(one) ? 'never matched' : includedBy(now.deny, one)))
  remove('ask', 'widened', 'asks for', (one) => includedBy([...now.ask, ...now.deny], one))
  for (const [list, verb] of [
    ['deny', 'denies'],
    ['ask', 'asks for'],
  ] as const)
    for (const one of added(list))
      inNew(isUnmatched(one) ? 'added' : 'narrowed', list, one.pointer, `${verb} ${shownRule(one)}`)
}

const shownRule = ({ text }: PermissionRule) => quoted(cut(text, 200))

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
