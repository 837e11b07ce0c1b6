// Templates that Go reads as well give the same text in Go.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileTemplate, Template } from '../../../bindings/agentlang/run/template.ts'
import type { JsonObject } from '../../../bindings/text/members.ts'
import { casesOf } from '../../support/cases.ts'
import { hasPrograms } from '../../support/programs.ts'

const hasGo = hasPrograms("templates in Go's text/template", ['golang-go'])

interface Job {
  readonly template: string
  readonly data: JsonObject
}

/** What all names of the templates below may have as a value, in a form that Go and JavaScript write alike. */
const value = fc.oneof(
  fc.constantFrom('', 'w', ' x ', '{{.a}}', 'ä "\n'),
  fc.integer({ min: -9999, max: 9999 }),
  fc.boolean(),
)
const data = fc.record({ a: value, b: fc.record({ c: value, d_1: value }), list: fc.array(value, { maxLength: 2 }) })

const name = fc.constantFrom('.a', '.b.c', '.b.d_1')
const tag = fc
  .tuple(fc.constantFrom('{{', '{{ ', '{{- ', '{{\n'), name, fc.constantFrom('}}', ' }}', ' -}}', '\t}}'))
  .map((parts) => parts.join(''))
const literal = fc.constantFrom('x', ' ', '\n\n', '{', '}}', '{{"{{"}}', ' ä', '{ {')
const text = fc.array(fc.oneof(literal, tag), { maxLength: 5 }).map((parts) => parts.join(''))
const { template } = fc.letrec<{ template: string; condition: string }>((tie) => ({
  template: fc
    .array(fc.oneof({ depthSize: 'small' }, text, tie('condition')), { maxLength: 3 })
    .map((parts) => parts.join('')),
  condition: fc
    .tuple(fc.constantFrom('.a', '.b.c', '.list', '.b', '.absent'), tie('template'), tie('template'), fc.boolean())
    .map(([test, yes, no, hasElse]) => `{{if ${test}}}${yes}${hasElse ? `{{- else }}${no}` : ''}{{ end}}`),
}))
const job: fc.Arbitrary<Job> = fc.record({ template, data })

/** The text, or undefined for a template that is refused. */
function render({ template: source, data: values }: Job): string | undefined {
  const compiled = compileTemplate(source)
  const rendered = compiled instanceof Template ? compiled.render('text', values) : { fault: compiled }
  return 'value' in rendered ? rendered.value : undefined
}

test.runIf(hasGo)(
  '[agentlang/functions-1] 10,000 random templates give the same text as in Go, or both refuse them',
  () => {
    const jobs = fc.sample(job, { numRuns: casesOf(10_000), seed: 6 })
    const input = jobs.map((one) => `${JSON.stringify(one)}\n`).join('')
    const output = execFileSync('go', ['run', 'test/agentlang/run/templates.go'], { input, maxBuffer: 1 << 28 })
    const theirs = output.toString().trimEnd().split('\n')
    expect(theirs).toHaveLength(jobs.length)
    for (const [i, one] of jobs.entries()) expect(render(one), one.template).toBe(JSON.parse(theirs[i]!).value)
  },
)
