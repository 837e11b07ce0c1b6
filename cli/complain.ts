import { visible } from '../bindings/text/hidden.ts'
import { withoutSecrets } from '../bindings/text/secret-spans.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'
import { UsageError } from './usage.ts'

/** Says on stderr why the command failed: a line for people, or one envelope if JSON was asked for. */
export function complain(error: unknown, argv: readonly string[], { stderr, env }: Host): ExitCode {
  const usage = error instanceof UsageError
  const message = visible(withoutSecrets(error instanceof Error ? error.message : String(error)))
  const code = usage ? error.code : 'internal'
  const hint = usage
    ? error.hint
    : 'this is a fault of Blazon: please report it with this line; BLAZON_DEBUG=1 shows where it happened'
  const json = argv.some(
    (word, i) => /^(?:--format=)?jsonl?$/.test(word) && (word.length > 5 || argv[i - 1] === '--format'),
  )
  if (json) stderr.write(`${JSON.stringify({ code, message, hint })}\n`)
  else stderr.write(`blazon: ${usage ? '' : 'internal error: '}${message}\n  ${hint}\n`)
  if (!usage && env['BLAZON_DEBUG'] && error instanceof Error) stderr.write(`${error.stack}\n`)
  return usage ? EXIT.usage : EXIT.internal
}
