// Tells if a text is a regular expression of ECMA-262 with the flag u. The host's engine decides, except where hosts
// differ or where asking it is expensive.

/** Text that may look like a group but is not one. */
const ESCAPES_AND_CLASSES = /\\.|\[(?:\\.|[^\]\\])*\]/gsu

/** An escape; the name is captured when it is a property. */
const ESCAPE = /\\(?:[pP]\{([^{}]*)\}|.)/gsu

/** Property names that the host knows; there are some hundreds of them. */
const knownProperties = new Set<string>()

/** True for a regular expression, with the same answer in every host. */
export function isRegex(source: string): boolean {
  // Each time the host reads a property, it expands it into a list of ranges, up to 0.2 ms for four letters. So each
  // name is tested once, and in the expression another escape, allowed in the same places, replaces it.
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

/** Groups that modify flags and duplicate group names are new: some hosts do not know them. */
function hasNewGroups(source: string): boolean {
  if (!source.includes('(?')) return false
  const groups = source.replace(ESCAPES_AND_CLASSES, '')
  if (/\(\?[ims-]/.test(groups)) return true
  const names = groups.match(/\(\?<[^=!>][^>]*>/g) ?? []
  return new Set(names).size < names.length
}
