/** One version of ADL, or with `x` all versions with any number there. */
const VERSIONS = /^(0|[1-9]\d{0,8})\.(?:(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8}|x)|x(?:\.x)?)$/

const versionsOf = (compatibility: string) => compatibility.split(',').map((version) => version.trim())

/**
 * True when a text lists the ADL versions that a profile supports (ADL 17.2): `0.1.x`, or several separated by commas.
 */
export function isCompatibility(text: string): boolean {
  return versionsOf(text).every((version) => VERSIONS.test(version))
}

/** True when a profile supports a version of ADL. */
export function isCompatible(compatibility: string, version: string): boolean {
  const actual = version.split('.')
  return versionsOf(compatibility).some((range) => {
    const parts = range.split('.')
    const fixed = parts.indexOf('x')
    const count = fixed < 0 ? 3 : fixed
    return actual.length === 3 && parts.slice(0, count).every((part, i) => part === actual[i])
  })
}
