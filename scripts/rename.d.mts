export function renamed(text: string, from: string, to: string, entries: readonly string[]): string
