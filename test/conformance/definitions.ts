import type { Api } from './body.ts'
import type { Vector } from './content.ts'
import { reviveValue } from './values.ts'

interface Found {
  readonly code: string
  readonly rule: string
  readonly severity: string
  readonly detail: string
  readonly source: { readonly pointer: string; readonly line: number; readonly column: number }
}

const places = (diagnostics: readonly Found[]) => diagnostics.map(({ code, source }) => [code, source.pointer])

/** Validation, prompts, conversions, public copies and tools of agent definitions. */
export const DEFINITION_RUNNERS = {
  /** What is found, and in which words: these are not of any table, but the same in every host. */
  validate(api: Api, { text, now, format }: Vector): object {
    const { valid, diagnostics } = api['validate'](text, { now: new Date(now as string), format })
    return {
      valid,
      found: (diagnostics as Found[]).map(({ code, rule, severity, source }) => [code, rule, severity, source.pointer]),
      said: (diagnostics as Found[]).map(({ detail, source }) => [detail, source.line, source.column]),
    }
  },
  renderPrompt(api: Api, { document, options }: Vector): object {
    const { text, audit, diagnostics } = api['renderPrompt'](JSON.stringify(document), options)
    return text === undefined ? { diagnostics: places(diagnostics) } : { text, sha256: audit?.sha256 ?? null }
  },
  convert(api: Api, { document, options }: Vector): object {
    const { document: made, loss, diagnostics } = api['convert'](JSON.stringify(document), options)
    if (made === undefined) return { diagnostics: places(diagnostics) }
    const lost = (loss as { outcome: string; pointer?: string }[]).filter(({ outcome }) =>
      /dropped|changed/.test(outcome),
    )
    return { made: made.value, lost: lost.map(({ outcome, pointer }) => [outcome, pointer]) }
  },
  /** There, back, and whether the canonical form is what it was. */
  roundTrip(api: Api, { document, options, extra, back: to = 'adl' }: Vector): object {
    const there = api['convert'](JSON.stringify(document), options).document
    const { [extra as string]: _added, ...back } = api['convert'](there, { to }).document.value
    const [before, after] = [document, back].map((value) => new TextDecoder().decode(api['canonicalizeValue'](value)))
    return { same: before === after }
  },
  /** For each value, as input or output of a tool, the places and keywords of what is wrong with it. */
  compileTools(api: Api, { document, values }: Vector): object {
    const tools = api['compileTools'](document)
    const found = (values as [check: string, tool: string, value: unknown][]).map(([check, tool, value]) =>
      tools[check](tool, reviveValue(value)).findings.map(({ pointer, keyword }: Record<string, string>) => [
        pointer,
        keyword,
      ]),
    )
    return { found, problems: tools.problems.map(({ decidedBy }: { decidedBy: string }) => decidedBy) }
  },
  publicCopy(api: Api, { document }: Vector): object {
    const { document: made, removed } = api['publicCopy'](JSON.stringify(document))
    return { made: made?.value, removed: removed.map(({ pointer }: { pointer: string }) => pointer) }
  },
}
