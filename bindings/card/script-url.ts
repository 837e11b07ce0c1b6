// Addresses that lead nowhere but into the program that opens them: what stands in them is run, or read from its own disk.

/** Parsers of URLs leave out tabs and line ends wherever they stand, and what is at the beginning. */
const PASSED_OVER = /[\t\n\r]|^[\0-\x20]+/g
const SCHEME = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|jar|intent|ms-[a-z-]+):/i

/** Whether a program that opens a URI would run or read what its author chose. */
export function isScriptUrl(uri: string): boolean {
  return SCHEME.test(uri.slice(0, 200).replace(PASSED_OVER, ''))
}
