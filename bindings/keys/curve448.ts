// Loaded on demand with named imports: a dynamic import of a whole package would bundle all of it.
export { ed448 } from '@noble/curves/ed448.js'
export { shake256 } from '@noble/hashes/sha3.js'
