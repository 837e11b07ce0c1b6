import type { Profile } from './profile.ts'

/** The fields that the initial entries of the registry share (ADL 17.2). */
export function standardProfile(
  shortName: string,
  name: string,
  parts: Pick<Profile, 'members' | 'rules'> & Partial<Profile>,
): Profile {
  return {
    identifier: `urn:adl:profile:${shortName}:1.0`,
    name,
    shortName,
    version: '1.0.0',
    specification: 'ADL 0.1, Appendix C',
    compatibility: '0.1.x',
    contact: { name: "The Author's Address of ADL 0.1" },
    status: 'active',
    required: [],
    classification: {},
    requiredClassification: [],
    categories: [],
    ...parts,
  }
}
