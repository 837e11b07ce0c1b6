// The parties that an operator trusts (ADL 18.7, 18.10, 18.11): one file lists providers, issuers, keys and registries.
import type { FindingKind } from '../document/finding.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { FileOptions } from '../frame/source.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { checkFragment, closedObjects, type Fragment, objectOf } from '../schema/fragment.ts'
import { escapeToken } from '../text/members.ts'
import { quoted, suggest } from '../text/words.ts'

/** The content of a trust file. An absent member trusts nobody. */
export interface Trust {
  readonly version: 1
  /** Domains of providers, as in `https://acme.example/agents/a` and `did:web:acme.example`: `acme.example`. */
  readonly providers?: readonly string[]
  /** Issuers of attestations: URIs, compared literally. */
  readonly issuers?: readonly string[]
  /** Keys, as SPKI in base64, PEM, or JWK in JSON. */
  readonly keys?: readonly string[]
  /** The trusted sources of documents: HTTPS URLs, each including everything below its path. */
  readonly registries?: readonly string[]
}

const SHAPE = objectOf({
  'version*': [1],
  'providers[]': 'filled',
  'issuers[]': 'uri',
  'keys[]': 'filled',
  'registries[]': 'uri',
})

/** Reads a trust file; `rule` is the finding for its faults. */
export function readTrust(source: Uint8Array | string, rule: FindingKind, options: FileOptions): RecordRead<Trust> {
  return readRecord(source, SHAPE, rule, options)
}

/** @throws {TypeError} that names the fault. */
export function expectTrust(value: unknown): void {
  expectRecord('trust', value, SHAPE)
}

/**
 * True when a document was fetched from a trusted registry over an authenticated channel (ADL 18.10).
 *
 * @example
 * isTrustedSource({ version: 1, registries: ['https://registry.acme.example/'] }, 'https://registry.acme.example/a.json') // true
 */
export function isTrustedSource({ registries = [] }: Trust, url: string): boolean {
  const from = httpsUrl(url)
  return (
    from !== undefined &&
    registries.some((registry) => {
      const trusted = httpsUrl(registry)
      if (trusted === undefined || trusted.origin !== from.origin) return false
      const folder = trusted.pathname.endsWith('/') ? trusted.pathname : `${trusted.pathname}/`
      return from.pathname === trusted.pathname || from.pathname.startsWith(folder)
    })
  )
}

/** Refuses escaped dots and separators: a server may read them differently from a URL parser, and leave the path. */
function httpsUrl(text: string): URL | undefined {
  if (!URL.canParse(text) || /%2e|%2f|%5c|\\/i.test(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : undefined
}

// The operator's own files: an inventory, a trust list. Each has one fixed schema and is read strictly.

export interface RecordRead<Value> {
  /** Undefined when a diagnostic is an error. */
  readonly value: Value | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads a file whose schema a fragment describes completely. Every missing, wrong or unknown member is an error of the
 * rule.
 */
export function readRecord<Value>(
  source: Uint8Array | string,
  shape: Fragment,
  rule: FindingKind,
  { file }: FileOptions,
): RecordRead<Value> {
  const parsed = parse(source, { ...(file !== undefined && { file }), maxDepth: 8 })
  const { document } = parsed
  if (document === undefined) return { value: undefined, diagnostics: parsed.diagnostics }
  const found: Diagnostic[] = []
  const report = (pointer: string, detail: string, hint?: string) => {
    const remarks = hint === undefined ? {} : { fix: { hint } }
    found.push(ruleDiagnostic(document, rule, 'error', pointer, detail, remarks))
  }
  checkFragment(shape, document.value, '', ({ pointer, detail, missing }) =>
    report(pointer, missing ? `member ${quoted(pointer.slice(pointer.lastIndexOf('/') + 1))} is missing` : detail),
  )
  closedObjects(shape, document.value, '', (pointer, value, names) => {
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue
      const meant = suggest(name.slice(0, 40), names)
      const hint = meant === undefined ? undefined : `did you mean '${meant}'?`
      report(`${pointer}/${escapeToken(name)}`, `member ${quoted(name)} is not known here`, hint)
    }
  })
  const diagnostics = [...parsed.diagnostics, ...found]
  return { value: found.length === 0 ? (document.value as Value) : undefined, diagnostics }
}

/** @throws {TypeError} that names the part of an argument that does not match the schema. */
function expectRecord(name: string, value: unknown, shape: Fragment): void {
  checkFragment(shape, value, name, ({ pointer, detail, missing }) => {
    throw new TypeError(`${pointer.replaceAll('/', '.')}: ${missing ? 'expected it to be there' : detail}`)
  })
}
