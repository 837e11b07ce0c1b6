// Uses a new connection for each request of the tests. Workers and Node's servers close idle connections after five
// seconds. On a busy machine Node's fetch notices that too late, and the next request on the connection fails.
// Runs before each file. The files of a worker share their globals, so it wraps the original function only once.
const NAME = 'fetchOnce'

if (fetch.name !== NAME) {
  const platformFetch = fetch
  const wrapper: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    request.headers.set('connection', 'close')
    return platformFetch(request)
  }
  globalThis.fetch = Object.defineProperty(wrapper, 'name', { value: NAME })
}
