import { isText, type PlacedValue } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { SENSITIVITIES } from '../classification.ts'
import type { Changes } from './change.ts'
import { type Comparison, type Members, type Pair, report, within } from './members.ts'
import { ofProfile } from './profiles.ts'
import { bound, obligations, protection, trusted } from './protections.ts'

const LEVELS: readonly unknown[] = SENSITIVITIES

/** A lower level protects less than before. An unknown level can't be shown to protect as much. */
function compareSensitivity(pair: Pair, changes: Changes): void {
  const { before, after } = pair
  const level = (of: PlacedValue<unknown> | undefined) => LEVELS.indexOf(of?.value)
  const words = `sensitivity: ${shown(before)} before, ${shown(after)} now`
  const isOdd = [before, after].some((side) => side !== undefined && level(side) < 0)
  if (isOdd) report(pair, 'major', 'sensitivity', changes)
  else if (after === undefined) changes.inOld('widened', 'major', before!.pointer, words)
  else if (level(after) < level(before)) changes.inNew('widened', 'major', after.pointer, words)
  else changes.inNew('narrowed', 'minor', after.pointer, words)
}

const shown = (of: PlacedValue<unknown> | undefined) => (isText(of?.value) ? quoted(of.value) : 'none')

const HANDLING: Members = Object.fromEntries(
  ['encryption_required', 'anonymization_required', 'cross_border_restricted', 'logging_required'].map((name) => [
    name,
    protection(name),
  ]),
)

const RETENTION: Members = {
  min_days: bound('min_days', 'least'),
  max_days: bound('max_days', 'most'),
  policy_uri: trusted('policy_uri'),
}

/** The members that describe data, of the agent or of a tool. */
const MEMBERS: Members = {
  sensitivity: compareSensitivity,
  categories: obligations('categories', 'is no longer classified as', 'is classified as'),
  retention: within('retention', RETENTION, 'minor'),
  handling: within('handling', HANDLING, 'minor'),
}

export const compareClassification: Comparison = (pair, changes, name) =>
  within('data_classification', MEMBERS, ofProfile)(pair, changes.area('classification'), name)
