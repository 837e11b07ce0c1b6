import { isLine, needsShell } from '../../../policy/path.ts'
import { type JsonObject, member } from '../../../text/members.ts'
import { quoted } from '../../../text/words.ts'

const MOST_ARGUMENTS = 1_000
const MOST_LENGTH = 128 * 1024

/** The parameters of a bash tool: its command is fixed, and the model chooses the arguments. */
export const COMMAND_PARAMETERS: JsonObject = {
  type: 'object',
  properties: { args: { type: 'array', items: { type: 'string' }, maxItems: MOST_ARGUMENTS } },
  required: ['args'],
  additionalProperties: false,
}

/** The reason why a `command` cannot start without a shell, or would start one. */
export function commandFault(command: string): string | undefined {
  const words = command.split(' ').filter((word) => word !== '')
  if (words.length === 0) return 'the command is empty'
  const special = words.find((word) => isLine(word, false))
  if (special !== undefined) return `a shell could read ${quoted(special)} as more than a word`
  return needsShell(command, false) ? `${quoted(command)} starts a shell` : undefined
}

/** The program and its arguments for a call of a bash tool, to start without a shell. */
export function commandLine(
  tool: JsonObject,
  args: readonly string[],
): { readonly argv: readonly string[] } | { readonly fault: string } {
  const command = member(tool, 'command')
  if (typeof command !== 'string') return { fault: 'the tool has no command' }
  const fault = commandFault(command)
  if (fault !== undefined) return { fault }
  const isText = (arg: unknown) => typeof arg === 'string' && !arg.includes('\0')
  if (!Array.isArray(args) || !args.every(isText)) return { fault: 'arguments must be texts without NUL' }
  if (args.length > MOST_ARGUMENTS || args.join('').length > MOST_LENGTH) return { fault: 'the arguments are too long' }
  return { argv: [...command.split(' ').filter((word) => word !== ''), ...args] }
}
