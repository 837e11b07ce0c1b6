import { request as httpRequest } from 'node:http'

const CHUNK_BYTES = 64 << 10

/** Posts a JSON string of so many bytes in chunks without saying how many, until the answer comes. */
export function streamDocument(url: string, bytes: number): Promise<{ status: number | undefined; sent: number }> {
  let sent = 0
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const request = httpRequest(url, options, (response) => {
      resolve({ status: response.statusCode, sent })
      response.resume()
      request.destroy()
    })
    request.on('error', reject)
    const next = () => {
      if (request.destroyed) return
      if (sent === bytes) {
        request.end()
        return
      }
      const piece = Buffer.alloc(Math.min(bytes - sent, CHUNK_BYTES), 'x')
      if (sent === 0) piece[0] = 0x22
      sent += piece.length
      if (sent === bytes) piece[piece.length - 1] = 0x22
      request.write(piece, () => setImmediate(next))
    }
    next()
  })
}
