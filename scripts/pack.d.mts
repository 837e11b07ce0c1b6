/** The bytes, shorter where something repeats. */
export function packed(bytes: Uint8Array): Uint8Array
/** The `length` bytes that were packed. */
export function unpacked(from: Uint8Array, length: number): Uint8Array
