// Decides whether a text is an ECMA-262 regular expression with the flag u. Asks the host's engine, except where hosts
// differ or asking is expensive.

/** Escapes and classes: they may contain what looks like a group. */
const ESCAPES_AND_CLASSES = /\\.|\[(?:\\.|[^\]\\])*\]/gsu

/** An escape; the name is captured when it is a property. */
const ESCAPE = /\\(?:[pP]\{([^{}]*)\}|.)/gsu

/** Property names that the host has accepted; there are only some hundreds. */
const knownProperties = new Set<string>()

/** True for a valid regular expression; the answer is the same in every host. */
export function isRegex(source: string): boolean {
  // The host expands a property into a list of ranges each time it reads one, up to 0.2 ms for four letters. So each
  // name is tested only once, and the expression is tested with another escape in its place that is allowed wherever a
  // property is.
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
