/** The exports of the package: output name -> source. */
export const ENTRIES: Readonly<Record<string, string>>
