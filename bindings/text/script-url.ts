// URIs that affect only the program that opens them: it runs their content or reads its own disk.

/** URL parsers ignore tabs and line ends everywhere, and control characters and spaces at the start. */
const PASSED_OVER = /[\t\n\r]|^[\0-\x20]+/g
const SCHEME = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|jar|intent|ms-[a-z-]+):/i

/** True when opening the URI would run content, or read local files, chosen by its author. */
export function isScriptUrl(uri: string): boolean {
  return SCHEME.test(uri.slice(0, 200).replace(PASSED_OVER, ''))
}
