/** True in browsers: only their user agent begins with `Mozilla/`. */
export const isBrowser = (): boolean => /^Mozilla\//.test(globalThis.navigator?.userAgent ?? '')

/**
 * Keeps a browser from sending cookies and the referrer. Other platforms send neither, and some throw at these options.
 */
export const anonymous = (): Pick<RequestInit, 'credentials' | 'referrerPolicy'> =>
  isBrowser() ? { credentials: 'omit', referrerPolicy: 'no-referrer' } : {}
