/** The source without the explanations of its findings. */
export function withoutExplanations(path: string, text: string): string
