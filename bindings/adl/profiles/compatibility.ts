/** One version of ADL, or all that differ from it only where it has `x`. */
const VERSIONS = /^(0|[1-9]\d{0,8})\.(?:(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8}|x)|x(?:\.x)?)$/

const versionsOf = (compatibility: string) => compatibility.split(',').map((version) => version.trim())

/** True when a text lists the versions of ADL that a profile is for (ADL 17.2): `0.1.x`, or several with commas between. */
export function isCompatibility(text: string): boolean {
  return versionsOf(text).every((version) => VERSIONS.test(version))
}

/** True when a profile is for a version of ADL. */
export function isCompatible(compatibility: string, version: string): boolean {
  const actual = version.split('.')
  return versionsOf(compatibility).some((range) => {
    const parts = range.split('.')
    const fixed = parts.indexOf('x')
    const count = fixed < 0 ? 3 : fixed
    return actual.length === 3 && parts.slice(0, count).every((part, i) => part === actual[i])
  })
}
