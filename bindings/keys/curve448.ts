// Loaded on demand, and by name: who imports a whole package on demand bundles all of it.
export { ed448 } from '@noble/curves/ed448.js'
export { shake256 } from '@noble/hashes/sha3.js'
