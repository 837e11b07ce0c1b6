// What a strict TypeScript user writes: compiles only when the published declarations are whole.
import { canonicalize, type Diagnostic, DocumentError, type Proof, parse, sign, verify } from 'blazon'
import { compilePatterns, compileTemplate, formatNumber, isCanonical, readNumber } from 'blazon/core'
import type { GuardedFetch } from 'blazon/discover'
import { importKey, type Key } from 'blazon/keys'
import { guardedFetch } from 'blazon/node'

const bytes: Uint8Array = canonicalize('{}')
const same: boolean = isCanonical(bytes)
const first: number = compilePatterns('host', ['*.example.com']).first('a.example.com')
const text: string = compileTemplate('{{a}}').render({ a: formatNumber(readNumber('1')) })
const { diagnostics }: { readonly diagnostics: readonly Diagnostic[] } = parse(bytes)
const key: Key = await importKey({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' })
const proof: Proof = await verify('{}', { expect: { keys: [key] }, now: new Date() })
const signed: Uint8Array | undefined = (await sign('{}', key)).bytes
const bounds: guardedFetch.Options = { maxBytes: 65_536 }
export const guard: GuardedFetch = guardedFetch(bounds)
export const signatures = [proof.verdict, proof.steps[0]?.outcome, signed]
export const all = [same, first, text, diagnostics, new DocumentError([]).diagnostics]
