// A list that is spread into the arguments of a call takes the stack: some 120,000 elements end it. Lists of foreign
// lengths are added one by one; every other spread is listed here with its bound.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesOf } from '../../scripts/files.mjs'

/** By file and callee: why the list is short. */
const BOUNDED: Readonly<Record<string, string>> = {
  'bindings/adl/records.ts found.push': 'one finding',
  'bindings/agentlang/run/budget.ts Math.min': 'two limits',
  'bindings/discover/dns/adp-txt.ts String.fromCharCode': 'a text of a TXT record: 255 bytes',
  'bindings/discover/dns/service.ts Math.max': 'the records of one answer',
  'bindings/discover/dns/service.ts Math.min': 'the records of one answer',
  'bindings/discover/dns/svcb.ts bytes.push': 'a parameter: 65,535 bytes',
  'bindings/discover/dns/zone-text.ts String.fromCharCode': 'a text of a record: 255 bytes',
  'bindings/discover/trust/domain.ts String.fromCodePoint': 'a label: 63 characters',
  'bindings/frame/source.ts Math.max': 'the demands of a specification',
  'bindings/frame/source.ts Math.min': 'the demands of a specification',
  'bindings/frame/open.ts Math.min': 'the kinds of documents',
  'bindings/agentlang/run/execution.ts kept.splice': 'one or two messages',
  'bindings/agentlang/run/execution.ts #context.splice': 'the messages of a model: 4 MiB a body',
  'bindings/keys/certificate.ts String.fromCharCode': 'a certificate: 65,535 bytes',
  'bindings/policy/runtime-policy.ts Math.min': 'two limits',
  'bindings/runs/stream/tree.ts #subtrees.push': 'the levels of a tree',
  'bindings/selftest/index.ts Math.max': 'the groups of the selftest',
  'bindings/convert/run/convert-runs.ts Math.min': 'the levels of a place',
  'browser-demo/share.ts String.fromCharCode': '32,768 bytes at a time',
  'bindings/convert/run/audit.ts #parts.unshift': 'the members of a run that are compared',
  'cli/commands/runs/list.ts hits.push': '1,000 hits',
  'cli/commands/runs/show.ts notes.push': 'what a kind of recorder does not see',
  'cli/help.ts Math.max': 'the commands',
  'cli/validate/mend.ts parts.unshift': 'two halves',
  'edge/gateway/outbox.ts Math.min': 'the jobs of an agent',
  'edge/http/query.ts Math.max': 'two media types',
}

/** Callees that take any number of values. Others, such as `append` of a page, show what was bounded before. */
const ANY_NUMBER = /(?:^|\.)(?:push|unshift|splice|apply|max|min|fromCharCode|fromCodePoint|concat)$/

function spreads(): readonly string[] {
  const found = new Set<string>()
  for (const file of ['bindings', 'cli', 'edge', 'browser-demo'].flatMap((folder) => filesOf(folder))) {
    if (!/(?<!\.d)\.m?[tj]s$/.test(file)) continue
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const callee = node.expression.getText().replace(/\s+/g, '').split('.').slice(-2).join('.')
        if (ANY_NUMBER.test(callee) && node.arguments?.some(ts.isSpreadElement)) found.add(`${file} ${callee}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return [...found].sort()
}

test('no list of a foreign length is spread into the arguments of a call', () => {
  expect(spreads()).toEqual(Object.keys(BOUNDED).sort())
})
