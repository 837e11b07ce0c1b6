// The reasons and examples of findings are read by `blazon explain` alone, and were a seventh of what checks a document. In
// dist/ rules are without them, and the catalogue is data: the build asks the sources for it.
import ts from 'typescript'
import { evaluated } from './evaluate.mjs'

const CATALOGUE = 'bindings/catalogue.ts'
const EXPLANATION = new Set(['why', 'bad', 'good'])
const ROW = new Set(['id', 'code', 'title', 'section', 'severity', 'bad', 'good'])

/** An esbuild plugin: the catalogue, with everything that it refers to, as it stands. */
export const explanations = {
  name: 'explanations',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]bindings[\\/]catalogue\.ts$/ }, async () => {
      const catalogue = await evaluated('catalogue', CATALOGUE)
      const rows = catalogue().map(({ check, ...row }) => row)
      return { contents: `const ROWS = ${JSON.stringify(rows)}\nexport const catalogue = () => ROWS\n` }
    })
  },
}

/** The source of a module without the explanations of its rows. */
export function withoutExplanations(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const cuts = []
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) cuts.push(...explanationOf(node))
    if (!cuts.includes(node)) ts.forEachChild(node, visit)
  }
  visit(file)
  return cuts.reduceRight((rest, { pos, end }) => `${rest.slice(0, pos)}${rest.slice(end).replace(/^,/, '')}`, text)
}

/** The explanation in a row, or in what several rows are made of: it has two members of a row at least. */
function explanationOf({ properties }) {
  if (properties.filter(({ name }) => ROW.has(name?.text)).length < 2) return []
  return properties.filter((property) => ts.isPropertyAssignment(property) && EXPLANATION.has(property.name.text))
}
