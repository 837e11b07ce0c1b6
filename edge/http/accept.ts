/** How much a client wants `type` (RFC 9110 section 12.5.1), by its own name in Accept; -1 when it is not named. */
function weight(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2))
  }
  return -1
}

/** Whether JSON is wanted where plain text is what those get who do not say. */
export function prefersJson(request: Request): boolean {
  const accept = request.headers.get('accept') ?? ''
  const json = weight(accept, 'application/json')
  return json > 0 && json > weight(accept, 'text/plain')
}

/** Whether a client names a type in Accept, at least as much wanted as JSON. */
export function wants(request: Request, type: string): boolean {
  const accept = request.headers.get('accept') ?? ''
  const wanted = weight(accept, type)
  return wanted > 0 && wanted >= weight(accept, 'application/json')
}

/** Whether a page is wanted where the document is what those get who do not say: what browsers send names HTML. */
export function prefersPage(request: Request): boolean {
  const accept = request.headers.get('accept') ?? ''
  const page = weight(accept, 'text/html')
  return page > 0 && page > Math.max(weight(accept, 'application/adl+json'), weight(accept, 'application/json'))
}
