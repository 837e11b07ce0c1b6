import type { Duplex } from 'node:stream'

/** Refuses WebSockets. A client may be killed in the middle of its request, which must not affect others. */
export function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
}
