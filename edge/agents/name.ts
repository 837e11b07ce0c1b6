/** The name in a path as problems repeat it: encoded again, because it is untrusted, and shortened. */
export function nameShown(name: string): string {
  return encodeURIComponent(name).slice(0, 130)
}
