import { diagnoseNowhere } from '../../document/diagnose.ts'
import { tooLarge } from '../../document/faults.ts'
import { type ParseOptions, type ParseResult, parse } from '../../document/parse.ts'
import type { Files } from '../../document/types.ts'
import { type Reading, RootSubject } from '../../frame/subject.ts'
import { ArchiveFault, MANIFEST, readArchive } from './archive.ts'
import * as FINDINGS from './findings.ts'
import { LARGEST_MANIFEST } from './manifest.ts'

/** Reads an archive as its manifest, whose places are in the manifest. Copies the bytes, so that nobody changes them. */
export function parseArchive(source: Uint8Array | string, options: ParseOptions = {}): ParseResult {
  const { file, maxBytes = Number.POSITIVE_INFINITY } = options
  const refuse = (...diagnostics: ParseResult['diagnostics']) => ({ document: undefined, diagnostics })
  if (source.length > maxBytes) return refuse(tooLarge(source.length, maxBytes, file))
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source.slice()
  const files = readArchive(bytes)
  if (files instanceof ArchiveFault) {
    const { rule, detail, offset } = files
    return refuse(diagnoseNowhere(rule, { detail, offset, endOffset: offset }, file))
  }
  const manifest = files.get(MANIFEST)
  if (manifest === undefined) {
    return refuse(diagnoseNowhere(FINDINGS.CONTAINER_FILES, { detail: `it has no ${MANIFEST}` }, file))
  }
  const parsed = parse(manifest, { ...options, maxBytes: LARGEST_MANIFEST, bom: 'refuse' })
  parsed.document?.keepFiles(files)
  return parsed
}

/** A container as rules and verbs read it: its manifest, with the files of its archive. */
export class Container extends RootSubject {
  /** All files of the archive by path; undefined for a manifest alone. */
  readonly files: Files | undefined = this.document.files
}

/** How containers are parsed. */
export const CONTAINER_READING: Reading<Container> = {
  kind: 'container',
  rootObject: FINDINGS.ROOT_OBJECT,
  subject: (document) => new Container(document),
}
