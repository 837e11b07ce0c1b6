// `POST /v1/verify`: the document is the body, or a part of a form with what the proof of its kind needs.
import { KINDS, NeedError, needsOf, open, verify as verifyDocument } from 'blazon'
import { parseJson } from 'blazon/document'
import { importKey, type Key, KeyError } from 'blazon/keys'
import type { Call } from '../access/route.ts'
import { json } from '../http/answer.ts'
import { FORM_TYPE, mediaTypeOf, sentKind } from '../http/body.ts'
import { diagnosed, Problem } from '../http/problem.ts'
import { badParameter } from '../http/query.ts'

/** A chain of certificates has a few. */
const MOST_FILES = 16

type NeedValues = NonNullable<verifyDocument.Options['given']>

interface Sent {
  readonly source: Uint8Array
  /** The name of the document's file, which shows the kind of a stream or of a proof about one. */
  readonly file?: string
  readonly given: NeedValues
}

/** A proof, with status 200 for every verdict. Resolves no DIDs: the Worker sends no requests for unknown clients. */
export async function verify({ request, url, body }: Call): Promise<Response> {
  const { source, given, ...named } = await sentIn(request, body)
  const as = sentKind(request)
  const options = { ...named, ...(as && { as }) }
  const { document, kind, diagnostics } = open(source, options)
  // The proof of a named file says what is wrong with it.
  if (document === undefined && named.file === undefined) throw diagnosed('unreadable-document', diagnostics)
  const provider = url.searchParams.get('provider')
  if (provider !== null && kind !== undefined && !Object.hasOwn(needsOf(kind), 'expect-provider'))
    throw badParameter('provider', `The parameter provider is for agent definitions, but this is a ${kind}.`)
  const other = kind && Object.keys(given).find((name) => !Object.hasOwn(needsOf(kind), name))
  if (other !== undefined) throw badParameter(other, `The part ${other} is not for this document, which is a ${kind}.`)
  const key = url.searchParams.get('publicKey')
  const expect = { ...(key !== null && { keys: [await readKey(key)] }), ...(provider !== null && { provider }) }
  try {
    return json(await verifyDocument(document ?? source, { ...options, expect, given }))
  } catch (error) {
    if (!(error instanceof NeedError)) throw error
    throw badParameter(error.need, `The part ${error.need} cannot be used: ${error.message}`)
  }
}

async function sentIn(request: Request, body: Uint8Array): Promise<Sent> {
  const type = request.headers.get('content-type') ?? ''
  if (mediaTypeOf(type) !== FORM_TYPE) return { source: body, given: {} }
  const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Problem('bad-request', 'The form cannot be read.')
    })
  const document = form.get('document') as File | string | null
  if (!(document instanceof File)) throw badParameter('document', 'Expected a file as the part document.')
  const names = [...new Set(form.keys())].filter((name) => name !== 'document')
  const given = await Promise.all(
    names.map(async (name) => [name, await partOf(name, form.getAll(name) as (File | string)[])] as const),
  )
  return { source: await bytesOf(document), file: document.name, given: Object.fromEntries(given) }
}

/** What each kind needs; a folder and a secret are not sent to a Worker. */
const PARTS = new Map(
  KINDS.flatMap(({ kind }) => Object.entries(needsOf(kind))).filter(
    ([, { takes, compares }]) => takes !== 'folder' && takes !== 'secret' && compares === undefined,
  ),
)

async function partOf(name: string, values: readonly (File | string)[]): Promise<NeedValues[string]> {
  const need = PARTS.get(name)
  if (need === undefined)
    throw badParameter(name, `Unknown part ${name.slice(0, 40)}. Known: ${[...PARTS.keys()].join(', ')}.`)
  const { takes } = need
  if (values.length > (takes === 'files' ? MOST_FILES : 1))
    throw badParameter(name, `The part ${name} is given too often.`)
  if (takes === 'document') {
    const [value] = values
    if (!(value instanceof File)) throw badParameter(name, `Expected a file as the part ${name}.`)
    return { file: value.name, ...parseJson(await bytesOf(value)) }
  }
  if (takes === 'file' || takes === 'files') {
    const files = await Promise.all(
      values.map(async (value) => {
        if (typeof value === 'string') throw badParameter(name, `Expected a file as the part ${name}.`)
        return { file: value.name, bytes: await bytesOf(value) }
      }),
    )
    return takes === 'files' ? files : files[0]
  }
  const [text] = values
  if (typeof text !== 'string') throw badParameter(name, `Expected a text as the part ${name}.`)
  return takes === 'text' ? text : text === 'true'
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer())

async function readKey(text: string): Promise<Key> {
  try {
    return await importKey(text)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    throw badParameter('publicKey', `The parameter publicKey is not a valid key: ${error.message}`)
  }
}
