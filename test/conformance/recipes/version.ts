import { NO_INPUT, type Recipe } from './recipe.ts'

export const abiVersion: Recipe = {
  calls: () => [{ name: 'abiVersion', input: NO_INPUT, args: [], outputs: [] }],
  read: ({ got }) => ({ version: got }),
}
