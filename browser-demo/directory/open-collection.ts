import { type CollectionClient, clientAt } from './calls.ts'

/** The page's loader (loader.ts). */
declare const blazon: { textOf(part: unknown): Promise<string> }

/** Opens a collection in a worker, or on the thread of the page if the browser allows no worker. */
export async function openCollection(): Promise<CollectionClient> {
  const part = await import('./worker.ts')
  try {
    return await inWorker(await blazon.textOf(part))
  } catch {
    const { port1, port2 } = new MessageChannel()
    part.open(port2)
    return clientAt(port1, () => port1.close())
  }
}

/**
 * The worker is a blob of scripts that the page has loaded: from file://, and in the page of one file, a worker has no
 * other address. A blob has the policy of the page, so the worker cannot send anything either.
 */
function inWorker(text: string): Promise<CollectionClient> {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  return new Promise<CollectionClient>((resolve, reject) => {
    const worker = new Worker(url)
    worker.onerror = reject
    worker.onmessage = () => {
      resolve(clientAt(worker, () => worker.terminate()))
    }
  }).finally(() => URL.revokeObjectURL(url))
}
