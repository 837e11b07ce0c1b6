/** The source, with every value that it makes on loading marked as free of effects. */
export function markPure(path: string, text: string): string
