import type { Library } from './library.ts'
import type { Node } from './node.ts'
import { below } from './place.ts'
import { isObject } from './shapes.ts'

/** A cycle makes a schema invalid, and a document shows no more problems. */
const MOST_REPORTS = 100

/** Reports schemas that apply themselves to the same value again, so that checking would never end. */
export function refuseCycles(nodes: readonly Node[], library: Library): void {
  const done = new Set<Node>()
  let reports = 0
  for (const start of nodes) {
    // The path to the current node, with the number of neighbours visited at each step.
    const way: { node: Node; next: number }[] = [{ node: start, next: 0 }]
    const open = new Set<Node>([start])
    while (way.length > 0) {
      const top = way.at(-1)!
      const other = done.has(top.node) ? undefined : top.node.inPlace[top.next++]
      if (other === undefined) {
        done.add(top.node)
        open.delete(top.node)
        way.pop()
      } else if (open.has(other)) {
        // A report copies the path.
        if (++reports > MOST_REPORTS) return
        report(
          way.slice(way.findIndex(({ node }) => node === other)).map(({ node }) => node),
          library,
        )
      } else if (!done.has(other)) {
        open.add(other)
        way.push({ node: other, next: 0 })
      }
    }
  }
}

/** Reports a cycle at its last reference; every cycle has one. */
function report(cycle: readonly Node[], library: Library): void {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const node = cycle.findLast(({ schema }) => isObject(schema) && Object.hasOwn(schema, keyword))
    if (node === undefined) continue
    const message = `\`${keyword}\` leads back to here: it would apply to the same value without end`
    library.problem(below(node.place, keyword)!, keyword, 'cycle', message, node.resource.document)
    return
  }
}
