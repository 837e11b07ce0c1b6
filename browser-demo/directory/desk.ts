import { type Port, serve } from './calls.ts'
import { Library } from './library.ts'

/** Opens a library for who is at the other side of a port, in a worker or beside it. */
export function open(port: Port): void {
  serve(new Library(), port)
}
