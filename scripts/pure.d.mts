/** The source with every value that it makes at load time marked as free of side effects. */
export function markPure(path: string, text: string): string
