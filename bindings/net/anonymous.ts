/** Browsers name themselves so, and no other host does. */
export const isBrowser = (): boolean => /^Mozilla\//.test(globalThis.navigator?.userAgent ?? '')

/** Keeps a browser from sending cookies, and from saying which page asks. Other hosts send neither, and some throw at these members. */
export const anonymous = (): Pick<RequestInit, 'credentials' | 'referrerPolicy'> =>
  isBrowser() ? { credentials: 'omit', referrerPolicy: 'no-referrer' } : {}
