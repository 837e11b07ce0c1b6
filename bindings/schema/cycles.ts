import type { Library } from './library.ts'
import type { Node } from './node.ts'

/** Refuses schemas that apply themselves to the same value again, and so would never end. */
export function refuseCycles(nodes: readonly Node[], library: Library): void {
  const done = new Set<Node>()
  for (const start of nodes) {
    // The way to the node that is looked at, and how many of each one's neighbours have been.
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
        const { place, resource } = top.node
        library.problem(place, '$ref', 'cycle', 'applies itself to the same value without end', resource.document)
      } else if (!done.has(other)) {
        open.add(other)
        way.push({ node: other, next: 0 })
      }
    }
  }
}
