import { type Port, serve } from './calls.ts'
import { CardCollection } from './card-collection.ts'

/** Serves a new collection through a port, in a worker or on the thread of the page. */
export function open(port: Port): void {
  serve(new CardCollection(), port)
}
