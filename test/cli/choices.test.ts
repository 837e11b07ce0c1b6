// Lists of choices that commands copy from bindings must be complete.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DIGESTS as SIGNED_DIGESTS } from '../../bindings/adl/signature/signed.ts'
import { TEMPLATES as ADL_TEMPLATES } from '../../bindings/adl/templates.ts'
import { COMMON } from '../../cli/command.ts'
import { TEMPLATES } from '../../cli/commands/init.ts'
import { DIGESTS } from '../../cli/commands/sign.ts'
import { SCOPES } from '../../cli/commands/token.ts'
import { FORMATS } from '../../cli/report/report.ts'

/** Read as text: the code of the Worker has the types of another host. */
const [, WORKER_SCOPES = ''] = /^export const SCOPES = \[([^\]]+)\] as const$/m.exec(
  readFileSync('edge/access/token.ts', 'utf8'),
)!

test.each([
  ['init --template', TEMPLATES, Object.keys(ADL_TEMPLATES)],
  ['sign --digest', DIGESTS, SIGNED_DIGESTS],
  ['token create --scope', SCOPES, WORKER_SCOPES.match(/[\w-]+/g) ?? []],
  ['--format', COMMON.format.choices, ['pretty', ...Object.keys(FORMATS)]],
])('%s', (_, choices, list) => {
  expect([...choices]).toEqual([...list])
})
