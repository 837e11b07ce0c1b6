const REDIRECTS = [301, 302, 303, 307, 308]

/** True for a status that leads to another URL. */
export const isRedirect = (status: number): boolean => REDIRECTS.includes(status)
