/** Tells servers who was found by the weaker way (section 5.3). The version is that of package.json: a test compares them. */
export const FALLBACK_AGENT = 'blazon/0.1.0 (adp-fallback)'

/** Browsers name themselves; for such a header they would first ask a server whether a page may send it. */
export const namesItself = (): boolean => /^Mozilla\//.test(globalThis.navigator?.userAgent ?? '')
