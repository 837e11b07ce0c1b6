/** Files that are open at the same time. */
const AT_ONCE = 8

/** Reads several inputs concurrently and yields the results in order. */
export async function* inOrder<Input, Made>(
  inputs: readonly Input[],
  read: (input: Input) => Promise<Made>,
): AsyncGenerator<Made> {
  const reading: Promise<Made>[] = []
  for (const input of inputs) {
    const made = read(input)
    // The caller gets this failure when its turn comes; without a handler, the process would end before that.
    made.catch(() => undefined)
    reading.push(made)
    if (reading.length === AT_ONCE) yield (await reading.shift()) as Made
  }
  for (const made of reading) yield await made
}
