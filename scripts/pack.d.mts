/** Compresses repeated bytes. */
export function packed(bytes: Uint8Array): Uint8Array
/** Restores the `length` bytes that were packed. */
export function unpacked(from: Uint8Array, length: number): Uint8Array
