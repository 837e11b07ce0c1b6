/**
 * Bytes to documents with positions and diagnostics.
 * @module
 */
export {}
