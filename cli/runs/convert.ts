// What `blazon convert` does with runs.
import { convertRuns, type RunFormat, type RunTarget } from '../../bindings/convert/run/convert-runs.ts'
import type { RunExportOptions } from '../../bindings/convert/run/to-otlp.ts'
import type { Tools } from '../command.ts'
import { EXIT } from '../exit.ts'
import { given } from '../given.ts'
import { isLossy, lossNotes } from '../loss-notes.ts'
import type { Outcome } from '../outcome.ts'
import { saveOrPrint } from '../save.ts'

interface RunConvertOptions {
  readonly carry: RunExportOptions['carry'] | undefined
  readonly tenant: string | undefined
  readonly out: string | undefined
  readonly strict: boolean
}

/** Writes one document, or one in each line when the source has several runs. */
export async function convertRun(
  name: string,
  to: RunTarget,
  from: RunFormat | undefined,
  { options, ...tools }: Tools & { readonly options: RunConvertOptions },
): Promise<Outcome> {
  const { file, bytes } = await tools.reader.bytes(name)
  const { carry, tenant, out, strict } = options
  const { documents, loss, diagnostics } = convertRuns(bytes, { to, file, ...given({ from, carry, tenant }) })
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  const result = { file, kind: to, valid, diagnostics, loss }
  if (!valid) return { results: [result] }
  const isOne = documents.length === 1
  const text = documents.map((document) => `${JSON.stringify(document, null, isOne ? 2 : 0)}\n`).join('')
  await saveOrPrint(out, text, tools, { over: file })
  return {
    results: [{ ...result, document: isOne ? documents[0] : documents }],
    notes: lossNotes(loss),
    ...(strict && isLossy(loss) && { exit: EXIT.findings }),
  }
}
