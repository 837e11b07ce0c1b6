// Compares what profiles add to a definition: the declarations, and the members that ADL itself does not define.
import { visible } from '../../text/hidden.ts'
import { createProfiles } from '../profiles/registry.ts'
import { asObject, type Comparison, compareMembers, report } from './members.ts'
import { obligations, protection, trusted } from './protections.ts'

/** Profiles make demands, so one profile less means less protection. */
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
 * Compares a member that ADL does not define, and the members inside it. Which members of a profile protect is unknown
 * here. So only new members, and flags that change from false to true, are shown to protect no less.
 */
export const ofProfile: Comparison = (pair, changes, name) => {
  const [before, after] = [asObject(pair.before), asObject(pair.after)]
  const flags = [pair.before, pair.after].every((side) => typeof side?.value === 'boolean')
  if (pair.before === undefined) report(pair, 'minor', name, changes)
  else if (before && after) compareMembers(before, after, {}, ofProfile, changes)
  else (flags ? protection : trusted)(visible(name))(pair, changes, name)
}
