/** Pauses between tries within a day: one second, two, four, and so on up to an hour. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 3_600_000
const PATIENCE_MS = 86_400_000

/** The time of the next try, in milliseconds since 1970; undefined after a day. Half of each pause is random. */
export function nextTry(
  { tries, created }: { readonly tries: number; readonly created: number },
  now: number,
  lot = Math.random(),
): number | undefined {
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries)
  const next = now + most / 2 + (most / 2) * lot
  return next > created + PATIENCE_MS ? undefined : next
}
