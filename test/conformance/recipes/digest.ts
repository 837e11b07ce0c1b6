import { type Content, contentBytes } from '../content.ts'
import { length, returned } from '../program.ts'
import type { Recipe } from './recipe.ts'

export const sha256: Recipe = {
  calls: (vector) => [
    { name: 'sha256', input: contentBytes(vector as Content), args: [length], outputs: [returned()] },
  ],
  read: ({ outputs }) => ({ digest: Array.from(outputs[0]!, (byte) => byte.toString(16).padStart(2, '0')).join('') }),
}
