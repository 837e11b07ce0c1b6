// What profiles bring to a definition: the declarations, and the members that ADL itself does not know.
import { visible } from '../../text/hidden.ts'
import { createProfiles } from '../profiles/registry.ts'
import { asObject, type Comparison, compareMembers, report } from './members.ts'
import { obligations, protection, trusted } from './protections.ts'

/** A profile demands: one less is less protection. */
export const compareProfiles: Comparison = (pair, changes, name) => {
  const profiles = createProfiles()
  const identifier = (declared: string) => profiles.find(declared)?.identifier ?? declared
  obligations(
    'profiles',
    'no longer follows the profile',
    'follows the profile',
    'minor',
    identifier,
  )(pair, changes, name)
}

/**
 * A member that ADL does not know, and those within: which of a profile's protect is not known here, so that only what is
 * new, and true in place of false, is shown to be no less.
 */
export const ofProfile: Comparison = (pair, changes, name) => {
  const [before, after] = [asObject(pair.before), asObject(pair.after)]
  const flags = [pair.before, pair.after].every((side) => typeof side?.value === 'boolean')
  if (pair.before === undefined) report(pair, 'minor', name, changes)
  else if (before && after) compareMembers(before, after, {}, ofProfile, changes)
  else (flags ? protection : trusted)(visible(name))(pair, changes, name)
}
