import { instance } from './instance.ts'

/**
 * The version of the interface that docs/guide/abi.md describes, as the module in use states it.
 *
 * @example
 * abiVersion() // 2
 */
export function abiVersion(): number {
  return instance().exports.abiVersion()
}
