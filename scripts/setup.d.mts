export type Availability = { available: true; how: string } | { available: false; reason: string }

export function ensureInstalled(): void
export function npmCommand(): [command: string, ...first: string[]]
export function findChromium(): Availability
export function ensureChromium(): Availability
export function ensureDebian(packages: readonly string[], probe: () => Availability): Availability
export function findProgram(name: string): string | undefined
