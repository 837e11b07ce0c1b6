/** The largest request body, in bytes (1 MiB). */
export const BODY_BYTES = 1 << 20

/** How many members one request may leave out; the core takes no more. */
export const POINTERS = 32

/** Containers inside of containers: what is meant when a request does not say, and the most it may ask for. */
export const DEFAULT_DEPTH = 1024
