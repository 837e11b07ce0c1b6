/** What one host answered with one build: the answers to each part; an empty one is a part that it does not take. */
export interface Row {
  readonly host: string
  readonly build: string
  readonly answers: readonly Uint8Array[]
  readonly digests: readonly string[]
  readonly seconds: number
}

/** A line a host and build: how many vectors of each part ran, and the digest of their answers. */
export function printTable(parts: readonly { title: string; count: number }[], rows: readonly Row[]): void {
  const lines = [['host', 'build', ...parts.flatMap(({ title }) => [title, 'digest']), 'equal', 'seconds']]
  for (const { host, build, answers, digests, seconds } of rows) {
    const ran = answers.map((answer) => answer.length > 0)
    const equal = digests.every(
      (digest, n) => !ran[n] || digest === rows.find((row) => row.answers[n]!.length > 0)!.digests[n],
    )
    const cells = parts.flatMap(({ count }, n) => (ran[n] ? [String(count), digests[n]!.slice(0, 12)] : ['-', '-']))
    lines.push([host, build, ...cells, equal ? 'yes' : 'NO', seconds.toFixed(1)])
  }
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
}
