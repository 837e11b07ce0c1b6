// The workflow of GitHub Actions that `blazon init --ci` writes: it checks the whole repository in each pull request.
import { type Context, type NoOptions, type Outcome, UsageError } from './command.ts'
import { save } from './save.ts'

const FILE = '.github/workflows/blazon.yml'
const ACTION = 'OWNER/blazon@COMMIT'

const workflow = (action: string) => `# Written by blazon init --ci.
name: blazon
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  validate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with: { node-version: '24' }
      - uses: ${action}
`

interface CiOptions {
  readonly action: string | undefined
  readonly 'dry-run': boolean
}

/** Writes the workflow, and never over a file. */
export async function initCi(
  path: string | undefined,
  { action, 'dry-run': isDry }: CiOptions,
  { host, print }: Pick<Context<NoOptions>, 'host' | 'print'>,
): Promise<Outcome> {
  const file = path ?? FILE
  if (!/\.ya?ml$/.test(file))
    throw new UsageError('invalid-value', `${file}: expected a file that ends in .yml`, `as in ${FILE}`)
  if (action !== undefined && !/^[\w.-]+\/[\w.-]+@[\w./-]+$/.test(action))
    throw new UsageError('invalid-value', `--action: expected OWNER/NAME@COMMIT, got "${action}"`, `as in ${ACTION}`)
  const text = workflow(action ?? ACTION)
  if (isDry) print(text)
  else await save(host, file, text, { create: true, makeFolder: true })
  const next =
    action === undefined
      ? [`in it, replace ${ACTION} by the repository and the commit of Blazon that you read`]
      : /@[\da-f]{40}$/.test(action)
        ? []
        : [`${action} does not end with a full commit: its owner can change what the workflow runs`]
  return {
    results: [{ file, kind: null, valid: true, diagnostics: [], text }],
    notes: [isDry ? `${file} was not written` : `wrote ${file}`, ...next],
  }
}
