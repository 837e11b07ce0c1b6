// A client of the Language Server Protocol 3.17 over two streams: frames, requests and notifications.

const WRONG_PARAMS = -32_602

class Client {
  #output
  #buffer = Buffer.alloc(0)
  #lastId = 0
  #waiting = new Map()
  #listeners = new Map()
  #isOver = false

  constructor(input, output) {
    this.#output = output
    input.on('data', (chunk) => this.#take(chunk))
    input.on('close', () => this.#end())
    output.on('error', () => this.#end())
  }

  on(method, listener) {
    this.#listeners.set(method, listener)
  }

  notify(method, params) {
    if (!this.#isOver) this.#send({ method, params })
  }

  /** Resolves to the result, or to undefined without one; rejects when the parameters are refused, with the reason. */
  request(method, params, token) {
    if (this.#isOver) return Promise.resolve(undefined)
    const id = ++this.#lastId
    token?.onCancellationRequested(() => this.notify('$/cancelRequest', { id }))
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#send({ id, method, params })
    })
  }

  async end() {
    await this.request('shutdown')
    this.notify('exit')
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    this.#output.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]))
  }

  #take(chunk) {
    this.#buffer = Buffer.concat([this.#buffer, chunk])
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: *(\d+)/i.exec(this.#buffer.toString('latin1', 0, end))?.[1] ?? 0)
      if (this.#buffer.length < end + 4 + length) return
      const message = JSON.parse(this.#buffer.toString('utf8', end + 4, end + 4 + length))
      this.#buffer = this.#buffer.subarray(end + 4 + length)
      this.#receive(message)
    }
  }

  #receive({ id, method, params, result, error }) {
    if (method === undefined) {
      const { resolve, reject } = this.#waiting.get(id) ?? {}
      this.#waiting.delete(id)
      if (error?.code === WRONG_PARAMS) reject?.(new Error(error.message))
      else resolve?.(result ?? undefined)
      return
    }
    this.#listeners.get(method)?.(params)
    if (id !== undefined) this.#send({ id, result: null })
  }

  #end() {
    this.#isOver = true
    for (const { resolve } of this.#waiting.values()) resolve(undefined)
    this.#waiting.clear()
  }
}

exports.Client = Client
