export declare const SOURCES: readonly string[]
export declare function hashOf(paths: readonly string[]): string
export declare function filesOf(path: string): string[]
