// Choices that commands copy from bindings: which copies there are, and that they are whole.
import { expect, test } from 'vitest'
import { DIGESTS as SIGNED_DIGESTS } from '../../bindings/adl/signature/signed.ts'
import { TEMPLATES as ADL_TEMPLATES } from '../../bindings/adl/templates.ts'
import { TEMPLATES } from '../../cli/commands/init.ts'
import { DIGESTS } from '../../cli/commands/sign.ts'
import { SCOPES } from '../../cli/commands/token/create.ts'
import { COMMON } from '../../cli/options.ts'
import { FORMATS } from '../../cli/report/report.ts'
import { SCOPES as WORKER_SCOPES } from '../../edge/access/token.ts'

test.each([
  ['init --template', TEMPLATES, Object.keys(ADL_TEMPLATES)],
  ['sign --digest', DIGESTS, SIGNED_DIGESTS],
  ['token create --scope', SCOPES, WORKER_SCOPES],
  ['--format', COMMON.format.choices, ['pretty', ...Object.keys(FORMATS)]],
])('%s', (_, choices, list) => {
  expect([...choices]).toEqual([...list])
})
