/** The source without the explanations of its rows about findings. */
export function withoutExplanations(path: string, text: string): string
