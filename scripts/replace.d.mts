export declare function replaceFolder(folder: string, by: string): void
