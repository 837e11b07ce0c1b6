// The files of a patch, as Codex reads it (codex-rs/apply-patch). A line counts as a header wherever a version of Codex
// may read one, so the result holds at least each file that the patch touches.
import { Unjudgeable } from './unjudgeable.ts'

const MOST_PATCH_BYTES = 256 << 10
const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/su
const OTHER_MARKER = /^\*\*\* End of File$/
const WHITE_SPACE = /^\p{White_Space}$/u

/** The paths that a patch names; a path with white space at its end counts with and without it. */
export function pathsOfPatch(patch: string): readonly string[] {
  if (Buffer.byteLength(patch) > MOST_PATCH_BYTES) throw new Unjudgeable('a patch has at most 256 KiB')
  const lines = trimmed(patch).split('\n')
  if (/^<<(['"]?)EOF\1\r?$/.test(lines[0]!) && lines.at(-1)!.endsWith('EOF')) {
    lines.shift()
    lines.pop()
  }
  const [first, last] = [lines.shift(), lines.pop()].map((line) => trimmed(line ?? ''))
  if (first !== '*** Begin Patch' || last !== '*** End Patch') throw new Unjudgeable('the patch has no begin or no end')
  const paths = new Set<string>()
  for (const line of lines) {
    const bare = trimmed(line)
    const found = HEADER.exec(bare)?.[1]
    if (found !== undefined) {
      const whole = line.slice(line.indexOf('*** '))
      const exact = HEADER.exec(whole.endsWith('\r') ? whole.slice(0, -1) : whole)![1]!
      paths.add(found).add(exact).add(trimmed(found))
    } else if (line.startsWith('*') ? !OTHER_MARKER.test(bare) : bare !== '' && !/^[ +@-]/.test(line))
      throw new Unjudgeable('the patch has a line that is not part of a patch')
  }
  if (paths.size === 0) throw new Unjudgeable('the patch names no file')
  return [...paths]
}

/** Like `trim` of Rust: Unicode's White_Space, which is not that of JavaScript. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && WHITE_SPACE.test(text[start]!)) start++
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end--
  return text.slice(start, end)
}
