/** Files that are open at a time. */
const AT_ONCE = 8

/** Reads several inputs at a time and yields the results in order. */
export async function* inOrder<Input, Made>(
  inputs: readonly Input[],
  read: (input: Input) => Promise<Made>,
): AsyncGenerator<Made> {
  const reading: Promise<Made>[] = []
  for (const input of inputs) {
    const made = read(input)
    // The caller meets this failure when its turn comes, not as an unhandled rejection before.
    made.catch(() => undefined)
    reading.push(made)
    if (reading.length === AT_ONCE) yield (await reading.shift()) as Made
  }
  for (const made of reading) yield await made
}
