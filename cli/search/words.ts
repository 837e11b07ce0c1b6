/** `1 card`, `2 cards`. */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

/** The parts that are present, in one line. */
export function phrase(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(', ')
}
