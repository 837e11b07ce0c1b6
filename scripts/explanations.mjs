// Only `blazon explain` reads the reasons and examples of findings, and they were a seventh of the code that checks a
// document. In dist/, rules have none, and the catalogue is data that the build computes from the sources.
import ts from 'typescript'
import { evaluated } from './evaluate.mjs'

const CATALOGUE = 'bindings/catalogue.ts'
const EXPLANATION = new Set(['why', 'bad', 'good'])
const ROW = new Set(['id', 'code', 'title', 'section', 'severity', 'bad', 'good'])

/** An esbuild plugin that writes the catalogue as data, with everything that it refers to. */
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

/** The source of a module without the explanations of its findings. */
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

/**
 * The explanation in a finding, or in an object that several findings are made from: it has at least two members of a
 * finding.
 */
function explanationOf({ properties }) {
  if (properties.filter(({ name }) => ROW.has(name?.text)).length < 2) return []
  return properties.filter((property) => ts.isPropertyAssignment(property) && EXPLANATION.has(property.name.text))
}
