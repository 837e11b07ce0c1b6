import { expect } from 'vitest'
import type { RenderOptions, Template, Variables } from '../../bindings/core/template.ts'
import { DocumentError } from '../../bindings/document/finding.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The output of every way of rendering, which must all agree. */
export function renderEveryWay(template: Template, variables: Variables, options?: RenderOptions): string {
  const text = template.render(variables, options)
  expect(decoder.decode(template.renderBytes(variables, options))).toBe(text)
  expect(decoder.decode(template.renderView(variables, options))).toBe(text)
  // Renders twice, because renderers adapt after the first call.
  expect(template.render(variables, options)).toBe(text)
  return text
}

/** The diagnostics thrown by `call`. */
export function refusal(call: () => unknown): readonly Diagnostic[] {
  try {
    call()
  } catch (error) {
    if (error instanceof DocumentError) return error.diagnostics
    throw error
  }
  throw new Error('expected a DocumentError')
}

/** The diagnostics of every way of rendering, which must all agree. */
export function refusalEveryWay(
  template: Template,
  variables: Variables,
  options?: RenderOptions,
): readonly Diagnostic[] {
  const diagnostics = refusal(() => template.render(variables, options))
  expect(refusal(() => template.renderBytes(variables, options))).toEqual(diagnostics)
  expect(refusal(() => template.renderView(variables, options))).toEqual(diagnostics)
  return diagnostics
}
