// The changes between two texts, in the format of `patch`.

/** Unchanged lines shown around a change. */
const AROUND = 3
/** How many lines ahead to search for the next equal one: fixes make small changes. */
const FURTHEST = 200

interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

/** The changes in the unified format; empty for equal texts. */
export function unifiedDiff(before: Uint8Array, after: Uint8Array, file: string): string {
  const hunks = hunksOf(stepsBetween(linesOf(before), linesOf(after)))
  return hunks === '' ? '' : `--- ${file}\n+++ ${file}\n${hunks}`
}

/** Lines with their line ends. */
function linesOf(bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  const steps: Step[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      steps.push({ sign: ' ', line: before[i]! })
      i++
      j++
      continue
    }
    const [removed, added] = nextEqual(before, i, after, j)
    for (const line of before.slice(i, i + removed)) steps.push({ sign: '-', line })
    for (const line of after.slice(j, j + added)) steps.push({ sign: '+', line })
    i += removed
    j += added
  }
  return steps
}

/** How many lines to skip in each text, as few as possible, until the next lines are equal. */
function nextEqual(before: readonly string[], i: number, after: readonly string[], j: number): [number, number] {
  for (let lines = 1; lines <= FURTHEST; lines++) {
    for (let removed = 0; removed <= lines; removed++) {
      const line = before[i + removed]
      if (line !== undefined && line === after[j + lines - removed]) return [removed, lines - removed]
    }
  }
  return [before.length - i, after.length - j]
}

function hunksOf(steps: readonly Step[]): string {
  const changed = steps.flatMap(({ sign }, at) => (sign === ' ' ? [] : [at]))
  let text = ''
  let [oldLine, newLine, done] = [1, 1, 0]
  const pass = (from: number, to: number, sign: '-' | '+') =>
    steps.slice(from, to).filter((step) => step.sign === ' ' || step.sign === sign).length
  for (let k = 0; k < changed.length; k++) {
    const start = Math.max(done, changed[k]! - AROUND)
    while (k + 1 < changed.length && changed[k + 1]! - changed[k]! <= 2 * AROUND) k++
    const end = Math.min(steps.length, changed[k]! + AROUND + 1)
    oldLine += pass(done, start, '-')
    newLine += pass(done, start, '+')
    const [removed, added] = [pass(start, end, '-'), pass(start, end, '+')]
    text += `@@ -${place(oldLine, removed)} +${place(newLine, added)} @@\n`
    for (const { sign, line } of steps.slice(start, end)) text += `${sign}${ended(line)}`
    oldLine += removed
    newLine += added
    done = end
  }
  return text
}

/** An empty range is named by the line before it. */
const place = (line: number, count: number) => `${count === 0 ? line - 1 : line},${count}`

const ended = (line: string) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)
