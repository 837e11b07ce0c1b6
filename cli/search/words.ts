/** `1 card`, `2 cards` */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

/** What there is to say, in one line. */
export function phrase(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(', ')
}
