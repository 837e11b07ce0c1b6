// A backtracking matcher as a textbook has it, which counts what it tries. It takes every way to match and is never content,
// so that it tries what an engine tries in the worst case.
import type { Regex } from '../../bindings/schema/regex/parse.ts'

export class TooMany extends Error {}

/** How many characters, places and turns are looked at until every way to match in a text is known. */
export function countTries(regex: Regex, text: string, most: number): number {
  let tries = 0
  const attempt = () => {
    if (++tries > most) throw new TooMany()
  }
  /**
   * Gives every place at which a match that begins at `at` can end, as often as there are ways to it. A lookbehind goes from
   * right to left, and the lookahead in it from left to right again (ECMA-262 section 22.2.2.3).
   */
  function match(node: Regex, at: number, backwards: boolean, then: (end: number) => void): void {
    switch (node.kind) {
      case 'one': {
        attempt()
        const character = [...(backwards ? text.slice(0, at) : text.slice(at, at + 2))].at(backwards ? -1 : 0)
        if (character === undefined) return
        const code = character.codePointAt(0)
        if (node.code >= 0 ? code === node.code : new RegExp(`^${node.source}$`, 'u').test(character)) {
          then(at + (backwards ? -character.length : character.length))
        }
        return
      }
      case 'assert':
        attempt()
        if (node.what === '^' ? at === 0 : node.what === '$' ? at === text.length : true) then(at)
        return
      case 'sequence': {
        const parts = backwards ? [...node.parts].reverse() : node.parts
        const from = (index: number, place: number): void =>
          index === parts.length ? then(place) : match(parts[index]!, place, backwards, (end) => from(index + 1, end))
        from(0, at)
        return
      }
      case 'choice':
        for (const [i, part] of node.parts.entries()) {
          if (i > 0) attempt()
          match(part, at, backwards, then)
        }
        return
      case 'repeat': {
        const turn = (count: number, place: number): void => {
          if (count < node.most) {
            attempt()
            match(node.body, place, backwards, (end) => {
              // ECMA-262, RepeatMatcher: beyond what is demanded, a turn that takes nothing ends the loop.
              if (end !== place || count < node.least) turn(count + 1, end)
            })
          }
          if (count >= node.least) then(place)
        }
        turn(0, at)
        return
      }
      case 'look':
        attempt()
        match(node.body, at, node.behind, () => {})
        then(at)
        return
      case 'back':
        throw new Error('a back reference needs groups, which the structure does not have')
    }
  }
  const isAnchored = regex.kind === 'sequence' && regex.parts[0]?.kind === 'assert' && regex.parts[0].what === '^'
  for (let start = 0; start <= (isAnchored ? 0 : text.length); start++) match(regex, start, false, () => {})
  return tries
}
