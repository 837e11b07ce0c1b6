// The places of a source where one fault can be put in, found with TypeScript's own parser.
import ts from 'typescript'

const COMPARISONS = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
}
const EQUALITIES = [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken]
const JUNCTIONS = [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]
/** Methods that compare their text. Other texts may be words for people, which no test must know. */
const COMPARING = ['startsWith', 'endsWith', 'includes', 'has', 'get', 'split', 'indexOf']

/** The faults of a source: `kind`, the range that is replaced, and its new text. Every one changes the program. */
export function sitesOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const sites = []
  const add = (kind, node, after) => {
    const start = node.getStart(source)
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    sites.push({ file, line, kind, start, end: node.end, before: node.getText(source), after, block: blockOf(node) })
  }
  const addFlip = (node) => add('condition', node, `!(${node.getText(source)})`)
  const visit = (node) => {
    if (isWithoutFaults(node)) return
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) addFlip(node.expression)
    if (ts.isConditionalExpression(node)) addFlip(node.condition)
    if (ts.isIfStatement(node) && node.elseStatement === undefined && isCheck(node.thenStatement))
      add('check', node, '{}')
    if (ts.isAwaitExpression(node) && !isReturned(node)) add('await', node, node.expression.getText(source))
    if (ts.isBinaryExpression(node)) {
      if (JUNCTIONS.includes(node.operatorToken.kind)) addFlip(node.left)
      const other = COMPARISONS[node.operatorToken.kind]
      if (other !== undefined) add('constant', node.operatorToken, other)
    }
    if (ts.isNumericLiteral(node) && node.parent.name !== node) add('constant', node, `(${node.text} + 1)`)
    if (node.kind === ts.SyntaxKind.TrueKeyword) add('constant', node, 'false')
    if (node.kind === ts.SyntaxKind.FalseKeyword) add('constant', node, 'true')
    if (ts.isStringLiteral(node) && isCompared(node)) add('constant', node, node.getText(source).replace(/(.)$/, '~$1'))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return sites
}

/** Types and imports, and messages for people. */
function isWithoutFaults(node) {
  if (ts.isNewExpression(node)) return node.expression.getText().endsWith('Error')
  return [
    ts.isTypeNode,
    ts.isInterfaceDeclaration,
    ts.isTypeAliasDeclaration,
    ts.isImportDeclaration,
    ts.isExportDeclaration,
    ts.isTemplateExpression,
    ts.isThrowStatement,
  ].some((is) => is(node))
}

/** Whether a statement leaves, or reports something. */
function isCheck(statement) {
  if (ts.isBlock(statement)) return statement.statements.length === 1 && isCheck(statement.statements[0])
  if (ts.isExpressionStatement(statement)) return /\.push\(/.test(statement.getText())
  return [ts.isReturnStatement, ts.isThrowStatement, ts.isContinueStatement, ts.isBreakStatement].some((is) =>
    is(statement),
  )
}

/** Whether awaiting changes nothing: the caller awaits what is returned, and no handler is around it. */
function isReturned(node) {
  if (ts.isArrowFunction(node.parent)) return true
  if (!ts.isReturnStatement(node.parent)) return false
  for (let outer = node.parent; outer !== undefined && !ts.isFunctionLike(outer); outer = outer.parent)
    if (ts.isTryStatement(outer)) return false
  return true
}

function isCompared(node) {
  const { parent } = node
  if (ts.isCaseClause(parent)) return true
  if (ts.isBinaryExpression(parent)) return EQUALITIES.includes(parent.operatorToken.kind)
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return false
  return COMPARING.includes(parent.expression.name.text)
}

/** The range of the outermost declaration around a node: an error of types there is due to the fault. */
function blockOf(node) {
  let outer = node
  while (outer.parent !== undefined && !ts.isSourceFile(outer.parent)) outer = outer.parent
  const lineAt = (position) => outer.getSourceFile().getLineAndCharacterOfPosition(position).line + 1
  return { name: outer.name?.text, from: lineAt(outer.getStart()), to: lineAt(outer.end) }
}
