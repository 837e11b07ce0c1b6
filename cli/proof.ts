import { verify } from '../bindings/adl/verbs.ts'
import type { Document } from '../bindings/document/parse.ts'
import type { Conformance, Proof } from '../bindings/frame/source.ts'
import { visible } from '../bindings/text/hidden.ts'
import type { Tools } from './command.ts'
import { expected, readKeys } from './keys.ts'
import type { Option } from './options.ts'

export const RESOLVE = { about: 'fetch the keys of a did:web from its domain' } as const satisfies Option

/** Lets verification use the network if the user asked for it. */
export const resolving = (wanted: boolean, { host }: Tools) => wanted && { resolve: { fetch: host.fetch } }

/** Verifies the signatures of definitions with the keys of `--key`, or else with the keys that they contain. */
export async function verifier(
  keyNames: readonly string[],
  resolves: boolean,
  tools: Tools,
): Promise<(document: Document) => Promise<Proof>> {
  const options = { expect: expected(await readKeys(keyNames, tools)), ...resolving(resolves, tools) }
  return (document) => verify(document, options)
}

/** A proof for people: its verdict, its steps, and what it shows. */
export function describeProof(file: string, proof: Proof): string {
  const { verdict, steps, shows = [], doesNotShow = [], conformance } = proof
  const list = (title: string, lines: readonly string[]) => lines.map((line) => `  ${title} ${visible(line)}`)
  const rows = steps.map(({ outcome, title, detail }) => `  ${outcome.padEnd(7)}  ${title}: ${visible(detail)}`)
  const level = conformance === undefined ? [] : levelLines(conformance)
  const conclusions = [...level, ...list('shows', shows), ...list('does not show', doesNotShow)]
  return `${[`${visible(file)}: ${verdict}`, ...rows, ...conclusions].join('\n')}\n`
}

/** The level that is shown, and what is missing for the next one. */
function levelLines({ specification, level, demands }: Conformance): readonly string[] {
  const missing = demands.filter((demand) => demand.level === level + 1 && demand.outcome !== 'met')
  const rows = missing.map(({ level: of, title, detail }) => `  for level ${of}  ${title}: ${visible(detail)}`)
  return [`  level ${level} of ${specification}`, ...rows]
}
