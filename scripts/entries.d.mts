/** What the package exports: output name -> source. */
export const ENTRIES: Readonly<Record<string, string>>
