/** The source with what it makes when it is loaded marked as free of effects. */
export function markPure(path: string, text: string): string
