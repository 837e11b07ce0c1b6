import { isBrowser } from '../../net/anonymous.ts'

/** The version is that of package.json: a test compares them. */
const FALLBACK_AGENT = 'blazon/0.1.0 (adp-fallback)'

/** Tells a server that it was found by the weaker way (section 5.3). A browser would first ask it whether a page may say so. */
export const fallbackAgent = (): { readonly userAgent?: string } => (isBrowser() ? {} : { userAgent: FALLBACK_AGENT })
