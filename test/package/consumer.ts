// What a strict TypeScript user writes: compiles only when the published declarations are whole.
import { canonicalize, type Diagnostic, DocumentError, parse } from 'blazon'
import { compilePatterns, compileTemplate, formatNumber, isCanonical, readNumber } from 'blazon/core'

const bytes: Uint8Array = canonicalize('{}')
const same: boolean = isCanonical(bytes)
const first: number = compilePatterns('host', ['*.example.com']).first('a.example.com')
const text: string = compileTemplate('{{a}}').render({ a: formatNumber(readNumber('1')) })
const { diagnostics }: { readonly diagnostics: readonly Diagnostic[] } = parse(bytes)
export const all = [same, first, text, diagnostics, new DocumentError([]).diagnostics]
