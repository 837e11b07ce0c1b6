import { type Reading, RootSubject } from '../frame/subject.ts'
import { elements, isObject, objectMember, type PlacedObject } from '../text/members.ts'
import { ROOT_OBJECT } from './findings.ts'
import { readRules } from './permission-rule.ts'

/** A settings file of Claude Code as rules read it. */
export class SettingsSubject extends RootSubject {
  readonly permissions = objectMember(this.root, 'permissions')
  readonly rules = readRules(this.root)
  readonly hooks = objectMember(this.root, 'hooks')
  /** The groups of hooks, each with its event. */
  readonly groups: readonly (PlacedObject & { readonly event: string })[] = Object.keys(
    this.hooks?.value ?? {},
  ).flatMap((event) => elements(this.hooks, event, isObject).map((group) => ({ ...group, event })))
}

/** How settings files are parsed. */
export const SETTINGS_READING: Reading<SettingsSubject> = {
  kind: 'claude-settings',
  rootObject: ROOT_OBJECT,
  subject: (document) => new SettingsSubject(document),
}
