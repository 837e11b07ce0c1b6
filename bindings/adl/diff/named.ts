// Compares tools, resources and prompts, which are identified by their names.

import { type PlacedObject, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { readTools, type Tool } from '../permissions/tool.ts'
import type { Changes } from './change.ts'
import { compareClassification } from './classification.ts'
import { byKind, type Comparison, compareMembers, type Members, report } from './members.ts'
import { protection } from './protections.ts'
import { type Direction, schemaBump } from './schema.ts'

const compareSchema =
  (name: string, direction: Direction): Comparison =>
  (pair, changes) => {
    const [old, now] = [pair.before, pair.after].map((side) => (side === undefined ? {} : side.value))
    report(pair, schemaBump(old, now, direction) ?? 'patch', name, changes)
  }

const TOOL: Members = {
  description: 'patch',
  parameters: compareSchema('parameters', 'input'),
  returns: compareSchema('returns', 'output'),
  examples: 'patch',
  annotations: 'patch',
  // compareCalls handles it: its meaning depends on the other tools.
  requires_confirmation: undefined,
  read_only: protection('read_only'),
  idempotent: byKind('idempotent', 'minor', 'major', 'major'),
  data_classification: compareClassification,
}

const RESOURCE: Members = {
  description: 'patch',
  type: 'major',
  uri: 'major',
  mime_types: 'minor',
  schema: compareSchema('schema', 'output'),
  annotations: 'patch',
  data_classification: compareClassification,
}

const PROMPT: Members = {
  description: 'patch',
  template: 'minor',
  arguments: compareSchema('arguments', 'input'),
}

type Tools = ReturnType<typeof readTools>

export function compareNamed(before: Agent, after: Agent, changes: Changes): void {
  compareCalls(readTools(before), readTools(after), changes.area('tools'))
  compareLists('tool', before.tools, after.tools, TOOL, changes.area('tools'))
  compareLists('resource', before.resources, after.resources, RESOURCE, changes.area('resources'))
  compareLists('prompt', before.prompts, after.prompts, PROMPT, changes.area('prompts'))
}

/** Compares how freely tools may be called, by the rules of `decide`: not at all, after confirmation, or always. */
function compareCalls(before: Tools, after: Tools, changes: Changes): void {
  const freedom = ({ fault, confirmation }: Tool) => (fault !== undefined ? 0 : confirmation !== undefined ? 1 : 2)
  const words = ['cannot be called', 'is called when somebody has confirmed it', 'is called without confirmation']
  for (const [name, tool] of after) {
    const old = before.get(name)
    if (old === undefined || freedom(old) === freedom(tool)) continue
    const [kind, bump] =
      freedom(tool) > freedom(old) ? (['widened', 'major'] as const) : (['narrowed', 'minor'] as const)
    changes.inNew(kind, bump, tool.pointer, `the tool ${quoted(name)} ${words[freedom(tool)]}`)
  }
}

function compareLists(
  word: string,
  before: readonly PlacedObject[],
  after: readonly PlacedObject[],
  table: Members,
  changes: Changes,
): void {
  const [old, now] = [byName(before), byName(after)]
  for (const [name, item] of old) {
    const same = now.get(name)
    if (same === undefined) changes.inOld('removed', 'major', item.pointer, `the ${word} ${quoted(name)} is gone`)
    else compareMembers(item, same, table, 'minor', changes)
  }
  for (const [name, { pointer }] of now) {
    if (!old.has(name)) changes.inNew('added', 'minor', pointer, `the ${word} ${quoted(name)} is new`)
  }
}

function byName(items: readonly PlacedObject[]): ReadonlyMap<string, PlacedObject> {
  const named = new Map<string, PlacedObject>()
  for (const item of items) {
    const name = textMember(item, 'name')
    if (name !== undefined) named.set(name.value, item)
  }
  return named
}
