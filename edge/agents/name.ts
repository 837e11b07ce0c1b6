/** The name from a path as problems show it: encoded again, because it is untrusted, and shortened. */
export function nameShown(name: string): string {
  return encodeURIComponent(name).slice(0, 130)
}
