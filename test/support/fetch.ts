// A connection of its own for each request of the tests. Workers and Node's servers close one that waits after five seconds, which
// Node's fetch learns too late on a busy machine: the request that goes out on it fails.
const fetchKept = globalThis.fetch

globalThis.fetch = (input, init) => {
  const request = new Request(input, init)
  request.headers.set('connection', 'close')
  return fetchKept(request)
}
