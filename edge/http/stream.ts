/**
 * A body of texts that are made while they are sent. It aborts if one fails: an incomplete answer must not look complete.
 * The first is awaited, so that a failure at the start is answered with a problem.
 */
export async function streamOf(texts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  let next = await texts.next()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      if (next.done === true) return controller.close()
      controller.enqueue(encoder.encode(next.value))
      next = await texts.next()
    },
    async cancel() {
      await texts.return(undefined)
    },
  })
}
