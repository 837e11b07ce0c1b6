import { type ParseResult, parse } from '../bindings/document/parse.ts'
import { formatOf, type ReadOptions } from '../bindings/document/read.ts'
import { glanceAt } from '../bindings/frame/detect.ts'
import { type OpenOptions, type OpenResult, open } from '../bindings/frame/open.ts'
import type { Reader } from '../bindings/frame/source.ts'
import { told } from '../bindings/frame/subject.ts'
import { specificationOf } from '../bindings/specifications.ts'
import { orOtherFile } from './other-file.ts'

/** Parses any JSON or YAML, as `read` does. The YAML reader is loaded only for YAML. */
export async function parseFile(bytes: Uint8Array, options: ReadOptions): Promise<ParseResult> {
  const format = formatOf(bytes, options)
  return (await readerOf(format))(bytes, { ...options, format })
}

/** Opens a document within the limits of its kind, and reports reading faults by the codes of its specification. */
export async function openFile(bytes: Uint8Array, options: OpenOptions): Promise<OpenResult> {
  const opened = await openPlain(bytes, options)
  if (opened.diagnostics.length === 0) return opened
  const specification = await specificationOf(opened.kind)?.load.check?.()
  return specification === undefined ? opened : { ...opened, diagnostics: told(specification, opened.diagnostics) }
}

/** Opens a document; its reading faults keep their general codes, which `check` translates. */
export async function openPlain(bytes: Uint8Array, options: OpenOptions): Promise<OpenResult> {
  const { form } = glanceAt(bytes, options)
  if (form !== 'document') return open(parse, bytes, options, (await import('../bindings/form-readers.ts')).READERS)
  return orOtherFile(open(await readerOf(formatOf(bytes, options)), bytes, options), bytes, options.file)
}

async function readerOf(format: 'json' | 'yaml'): Promise<Reader> {
  return format === 'json' ? parse : (await import('../bindings/document/yaml/parse.ts')).parseYaml
}
