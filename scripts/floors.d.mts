export function floors(root?: string): readonly string[]
