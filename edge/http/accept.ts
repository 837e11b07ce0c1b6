/** The weight that a client gives to `type` (RFC 9110 section 12.5.1), if Accept names it exactly; -1 otherwise. */
function weight(request: Request, type: string): number {
  for (const range of (request.headers.get('accept') ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2))
  }
  return -1
}

/** True when a client prefers JSON on a route whose default is plain text. */
export function prefersJson(request: Request): boolean {
  return weight(request, 'application/json') > Math.max(0, weight(request, 'text/plain'))
}

/** True when Accept names a type, and prefers it to JSON or ranks both equally. */
export function wants(request: Request, type: string): boolean {
  const wanted = weight(request, type)
  return wanted > 0 && wanted >= weight(request, 'application/json')
}

/** True when a client prefers a page on a route whose default is the document: browsers name HTML. */
export function prefersPage(request: Request): boolean {
  const others = ['application/adl+json', 'application/json'].map((type) => weight(request, type))
  return weight(request, 'text/html') > Math.max(0, ...others)
}

/** True when a client accepts a type: by name, or by a wildcard unless `named` is set (RFC 9110 section 12.5.1). */
export function takes(request: Request, type: string, { named = false } = {}): boolean {
  const ranges = named ? [type] : [type, `${type.split('/')[0]}/*`, '*/*']
  const said = ranges.map((range) => weight(request, range)).find((found) => found !== -1)
  return said === undefined ? !named && (request.headers.get('accept') ?? '').trim() === '' : said > 0
}
