/** The weight that a client gives to `type` (RFC 9110 section 12.5.1), if Accept names it exactly; -1 otherwise. */
function weight(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2))
  }
  return -1
}

/** True when a client prefers JSON on a route whose default is plain text. */
export function prefersJson(request: Request): boolean {
  const accept = request.headers.get('accept') ?? ''
  const json = weight(accept, 'application/json')
  return json > 0 && json > weight(accept, 'text/plain')
}

/** True when Accept names a type, and prefers it to JSON or ranks both equally. */
export function wants(request: Request, type: string): boolean {
  const accept = request.headers.get('accept') ?? ''
  const wanted = weight(accept, type)
  return wanted > 0 && wanted >= weight(accept, 'application/json')
}

/** True when a client prefers a page on a route whose default is the document: browsers name HTML. */
export function prefersPage(request: Request): boolean {
  const accept = request.headers.get('accept') ?? ''
  const page = weight(accept, 'text/html')
  return page > 0 && page > Math.max(weight(accept, 'application/adl+json'), weight(accept, 'application/json'))
}

/** True when a client accepts a type: by name, or by a wildcard unless `named` is set (RFC 9110 section 12.5.1). */
export function takes(request: Request, type: string, { named = false } = {}): boolean {
  const accept = request.headers.get('accept') ?? ''
  const ranges = named ? [type] : [type, `${type.split('/')[0]}/*`, '*/*']
  const weights = ranges.map((range) => weight(accept, range))
  const said = weights.find((found) => found !== -1)
  return said === undefined ? accept.trim() === '' && !named : said > 0
}
