import { type Shelf, shelfAt } from './calls.ts'

/** The page's loader (loader.ts). */
declare const blazon: { textOf(part: unknown): Promise<string> }

/** A library in a worker, or on the thread of the page where the browser refuses one. */
export async function openShelf(): Promise<Shelf> {
  const part = await import('./desk.ts')
  try {
    return await inWorker(await blazon.textOf(part))
  } catch {
    const { port1, port2 } = new MessageChannel()
    part.open(port2)
    return shelfAt(port1, () => port1.close())
  }
}

/**
 * The worker is made of scripts that are in the page: neither from file:// nor in the page of one file is there another
 * address for it. As a blob it has the policy of the page, so nothing leaves it either.
 */
function inWorker(text: string): Promise<Shelf> {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  return new Promise<Shelf>((resolve, reject) => {
    const worker = new Worker(url)
    worker.onerror = reject
    worker.onmessage = () => {
      resolve(shelfAt(worker, () => worker.terminate()))
    }
  }).finally(() => URL.revokeObjectURL(url))
}
