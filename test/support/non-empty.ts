/** The items of a list that a test walks through. Throws when there are none: a loop that never runs proves nothing. */
export function nonEmpty<T>(items: Iterable<T>): readonly T[] {
  const list = [...items]
  if (list.length === 0) throw new Error('the list has no items, so its test would prove nothing')
  return list
}
