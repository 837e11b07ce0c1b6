import { isBrowser } from '../../net/deadline.ts'

/** The version in package.json; a test compares them. */
const FALLBACK_AGENT = 'blazon/0.1.0 (adp-fallback)'

/** Tells a server that it was found by the fallback (section 5.3). A browser would need the server's consent first. */
export const fallbackAgent = (): { readonly userAgent?: string } => (isBrowser() ? {} : { userAgent: FALLBACK_AGENT })
