import type { Duplex } from 'node:stream'

/** Takes no WebSocket. Whoever asks for one may be killed in the middle of it, and nobody else hears of that. */
export function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
}
