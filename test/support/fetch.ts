// Uses a new connection for each request of the tests. Workers and Node's servers close idle connections after five
// seconds. On a busy machine Node's fetch notices that too late, and the next request on the connection fails.
const fetchKept = globalThis.fetch

globalThis.fetch = (input, init) => {
  const request = new Request(input, init)
  request.headers.set('connection', 'close')
  return fetchKept(request)
}
