/**
 * Templates: `{{name}}` in text, ADL section 7.2.
 * @module
 */
import { DocumentError } from '../document/finding.ts'
import { loneSurrogate } from '../wasm/json.ts'
import { compile, TemplateFault } from '../wasm/template.ts'
import { LARGEST, type RenderOptions, Template, TemplateSource, type Variables } from './template/template.ts'

export type { RenderOptions, Template, Variables } from './template/template.ts'

export declare namespace compileTemplate {
  interface Options {
    /** The name of the template in diagnostics. */
    readonly file?: string
  }
}

/**
 * Compiles a template. `{{name}}` stands for a variable; its name is a letter followed by letters, digits and `_`.
 * `\{{` stands for `{{`; everything else is text.
 *
 * @example
 * const greeting = compileTemplate('Hello {{name}}, \\{{this}} is text')
 * greeting.names // ['name']
 * greeting.render({ name: 'Ada' }) // 'Hello Ada, {{this}} is text'
 *
 * @throws {DocumentError} when a `{{` begins no valid reference, or the template is not UTF-8 or exceeds 64 MiB.
 */
export function compileTemplate(template: Uint8Array | string, options?: compileTemplate.Options): Template {
  if (typeof template !== 'string' && !(template instanceof Uint8Array)) {
    throw new TypeError(
      `template: expected a string or Uint8Array, got ${template === null ? 'null' : typeof template}`,
    )
  }
  // Copies the bytes: the caller may change them, while later diagnostics still quote positions in them.
  const kept = typeof template === 'string' ? template : template.slice()
  const source = once(() => new TemplateSource(kept, options?.file))
  if (kept.length > LARGEST) throw new DocumentError([source().tooLarge(LARGEST)])
  if (typeof kept === 'string') {
    const lone = loneSurrogate(kept)
    if (lone !== undefined) throw new DocumentError([source().loneSurrogate(lone.offset)])
  }
  const compiled = compile(kept)
  if (compiled instanceof TemplateFault) throw new DocumentError([source().malformed(compiled)])
  return new Template(compiled, source)
}

/**
 * Renders a template that is used only once; `compileTemplate` is for repeated use.
 *
 * @example
 * render('Hello {{name}}', { name: 'Ada' }) // 'Hello Ada'
 *
 * @throws {DocumentError} as `compileTemplate` and `Template.render` do.
 */
export function render(
  template: Uint8Array | string,
  variables: Variables,
  options?: RenderOptions & compileTemplate.Options,
): string {
  return compileTemplate(template, options).render(variables, options)
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
