// Keywords that apply other schemas to the same value (core sections 8.2.3 and 10.2).
import type { Draft } from '../dialect.ts'
import { Marks } from '../marks.ts'
import { ANY, type Node } from '../node.ts'
import type { Place } from '../place.ts'
import type { Finding, Run, Source } from '../run.ts'
import type { Context, Rule } from './context.ts'

const vocabulary = 'applicator'

const nodesOf = ({ schema, inPlace }: Context, keyword: string): readonly Node[] =>
  (schema[keyword] as readonly unknown[]).map((branch, i) => inPlace(branch, keyword, i))

/** Applies a schema that may fail: its marks count only when it succeeds. */
function attempt(node: Node, value: unknown, marks: Marks | undefined, run: Run): boolean {
  if (marks === undefined) return node.check(value, undefined, undefined, run)
  const own = new Marks()
  const passed = node.check(value, undefined, own, run)
  if (passed) marks.add(own, run)
  return passed
}

/** A value that fails one of these keywords is of a different kind than the branch describes. */
const TELLING: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'false'])

/**
 * True when a finding rules a branch out: the value itself, or the member that distinguishes the kinds, does not match.
 */
function rulesOut({ at, source }: Finding, value: Place): boolean {
  return at === value ? TELLING.has(source.keyword) : at.parent === value && source.keyword === 'const'
}

/** Reports the errors of the only branch that is not ruled out. Otherwise reports that the value fits no branch. */
function failAll(branches: readonly Node[], value: unknown, at: Place, from: Source, run: Run): false {
  const trials = branches.map((branch) => run.trial(() => branch.check(value, at, undefined, run)))
  const meant = trials.filter((findings) => !findings.some((finding) => rulesOut(finding, at)))
  if (meant.length !== 1) return run.fail(at, from, { branches: branches.length, passing: [] })
  for (const finding of meant[0]!) run.fail(finding.at, finding.source, finding.params)
  return false
}

const allOf: Rule = {
  keywords: ['allOf'],
  vocabulary,
  compile(context) {
    const branches = nodesOf(context, 'allOf')
    context.node.add(ANY, (value, at, marks, run) => {
      let passed = true
      for (const branch of branches) {
        if (branch.check(value, at, marks, run)) continue
        if (at === undefined) return false
        passed = false
      }
      return passed
    })
  },
}

const anyOf: Rule = {
  keywords: ['anyOf'],
  vocabulary,
  compile(context) {
    const branches = nodesOf(context, 'anyOf')
    const from = context.source('anyOf')
    context.node.add(ANY, (value, at, marks, run) => {
      let passed = false
      for (const branch of branches) {
        if (!attempt(branch, value, marks, run)) continue
        passed = true
        if (marks === undefined) break
      }
      return passed || (at !== undefined && failAll(branches, value, at, from, run))
    })
  },
}

const oneOf: Rule = {
  keywords: ['oneOf'],
  vocabulary,
  compile(context) {
    const branches = nodesOf(context, 'oneOf')
    const from = context.source('oneOf')
    context.node.add(ANY, (value, at, marks, run) => {
      const passing: number[] = []
      for (let i = 0; i < branches.length; i++) {
        if (!attempt(branches[i]!, value, marks, run)) continue
        passing.push(i)
        if (passing.length > 1) break
      }
      if (passing.length === 1 || at === undefined) return passing.length === 1
      if (passing.length === 0) return failAll(branches, value, at, from, run)
      return run.fail(at, from, { branches: branches.length, passing })
    })
  },
}

const not: Rule = {
  keywords: ['not'],
  vocabulary,
  compile({ schema, node, inPlace, source }) {
    const refused = inPlace(schema['not'], 'not')
    const from = source('not')
    node.add(
      ANY,
      (value, at, _, run) =>
        !refused.check(value, undefined, undefined, run) || (at !== undefined && run.fail(at, from, {})),
    )
  },
}

const condition: Rule = {
  keywords: ['if'],
  vocabulary,
  compile({ schema, node, inPlace, has }) {
    const test = inPlace(schema['if'], 'if')
    const then = has('then') ? inPlace(schema['then'], 'then') : undefined
    const otherwise = has('else') ? inPlace(schema['else'], 'else') : undefined
    node.add(ANY, (value, at, marks, run) => {
      const branch = attempt(test, value, marks, run) ? then : otherwise
      return branch === undefined || branch.check(value, at, marks, run)
    })
  },
}

const ref: Rule = {
  keywords: ['$ref'],
  vocabulary: 'core',
  compile({ node, referred }) {
    const target = referred('$ref')?.node
    if (target === undefined) return
    node.inPlace.push(target)
    node.add(ANY, (value, at, marks, run) => target.check(value, at, marks, run))
  },
}

/** A reference to a dynamic anchor resolves in the outermost entered resource that has an anchor of that name. */
const dynamicRef = (keyword: '$dynamicRef' | '$recursiveRef', since: Draft, until: Draft): Rule => ({
  keywords: [keyword],
  vocabulary: 'core',
  since,
  until,
  compile({ node, referred }) {
    const target = referred(keyword)
    if (target === undefined) return
    const { dynamic } = target
    if (dynamic === undefined) {
      node.inPlace.push(target.node)
      node.add(ANY, (value, at, marks, run) => target.node.check(value, at, marks, run))
      return
    }
    node.add(ANY, (value, at, marks, run) => {
      run.spend(run.scope.length >> 3)
      const outermost = run.scope.find(({ dynamicAnchors }) => dynamicAnchors.has(dynamic))
      const meant = outermost?.nodes.get(outermost.anchors.get(dynamic)!.schema) ?? target.node
      return meant.check(value, at, marks, run)
    })
  },
})

export const COMBINE: readonly Rule[] = [
  ref,
  dynamicRef('$dynamicRef', 2020, 2020),
  dynamicRef('$recursiveRef', 2019, 2019),
  allOf,
  anyOf,
  oneOf,
  not,
  condition,
]
