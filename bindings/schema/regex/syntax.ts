// Whether a text is a regular expression of ECMA-262 with the flag u. The host's engine says so; what hosts differ in, and
// what costs it much, is decided here.

/** What may look like a group and is none. */
const ESCAPES_AND_CLASSES = /\\.|\[(?:\\.|[^\]\\])*\]/gsu

/** An escape; one of a property with its name. */
const ESCAPE = /\\(?:[pP]\{([^{}]*)\}|.)/gsu

/** Names of properties that the host knows; of these there are some hundreds. */
const knownProperties = new Set<string>()

/** The same in every host. */
export function isRegex(source: string): boolean {
  // The host makes a list of ranges of each property when it reads it, up to 0.2 ms for four letters. So each name is
  // asked for once, and where it stands stands another escape that is allowed in the same places.
  let hasUnknown = false
  const cheap = source.replace(ESCAPE, (found, property: string | undefined) => {
    if (property === undefined) return found
    hasUnknown ||= !isProperty(property)
    return '\\d'
  })
  return !hasUnknown && isAccepted(cheap) && !hasNewGroups(source)
}

function isProperty(name: string): boolean {
  if (knownProperties.has(name)) return true
  if (!isAccepted(`\\p{${name}}`)) return false
  knownProperties.add(name)
  return true
}

function isAccepted(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** Groups that modify flags, and names that several groups have, are new: some hosts do not know them. */
function hasNewGroups(source: string): boolean {
  if (!source.includes('(?')) return false
  const groups = source.replace(ESCAPES_AND_CLASSES, '')
  if (/\(\?[ims-]/.test(groups)) return true
  const names = groups.match(/\(\?<[^=!>][^>]*>/g) ?? []
  return new Set(names).size < names.length
}
