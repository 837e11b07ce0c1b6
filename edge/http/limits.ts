/** The largest request body, in bytes (1 MiB). */
export const BODY_BYTES = 1 << 20

/** The period of the rate limits in wrangler.jsonc, in seconds. */
export const MINUTE = 60

/** The most members that a request may remove: the limit of the core. */
export const POINTERS = 32

/** The nesting depth of containers: the default for a request, and the most that it may ask for. */
export const DEFAULT_DEPTH = 1024
