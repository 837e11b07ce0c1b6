// A line of Bash as Claude Code compares it with rules: split into commands, without wrappers.
// https://code.claude.com/docs/en/permissions#compound-commands

/** A command line in parts. */
export interface ShellLine {
  /** Every command: of the line itself, of subshells, substitutions and bodies of loops. */
  readonly commands: readonly string[]
  /** The files that the line writes. */
  readonly writes: readonly string[]
  /** True when the text shows everything that runs: no variable, substitution, keyword or document in it. */
  readonly isPlain: boolean
}

/** Keywords that may stand before a command. */
const KEYWORD = /^(?:if|then|elif|else|do|while|until|for|case|select|function|fi|done|esac|!|\{|\}|\[\[)(?=\s|$)\s*/
const REDIRECT = /^(?:\d*|&)(>>?\|?|<)&?\s*([^\s;&|<>()]*)/

/** Splits a line at its operators. Quotes and escapes hide them. */
export function splitLine(line: string): ShellLine {
  const commands: string[] = []
  const writes: string[] = []
  let isPlain = true
  let command = ''
  let quoted = false
  // For each open substitution, whether it stands in double quotes.
  const outer: boolean[] = []
  const end = () => {
    for (let keyword = true; keyword; ) {
      const rest = command.trim().replace(KEYWORD, '')
      keyword = rest !== command.trim()
      if (keyword) isPlain = false
      command = rest
    }
    if (command !== '') commands.push(command)
    command = ''
  }
  const open = () => {
    isPlain = false
    outer.push(quoted)
    quoted = false
    end()
  }
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!
    if (character === '\\') {
      if (line[i + 1] === '\n') isPlain = false
      command += character + (line[++i] ?? '')
    } else if (character === "'" && !quoted) {
      const close = line.indexOf("'", i + 1)
      if (close < 0) isPlain = false
      command += line.slice(i, close < 0 ? line.length : close + 1)
      i = close < 0 ? line.length : close
    } else if (character === '"') {
      quoted = !quoted
      command += character
    } else if (character === '`' || (character === '$' && line[i + 1] === '(')) {
      if (character === '$') i++
      open()
    } else if (character === '$') {
      isPlain = false
      command += character
    } else if (quoted) command += character
    else if (character === '(') open()
    else if (character === ')') {
      end()
      quoted = outer.pop() ?? false
    } else if ((character === '>' || character === '<' || character === '&') && isRedirect(line, i)) {
      if (/(?:^|\s)\d$/.test(command.slice(-2))) command = command.slice(0, -1)
      const [whole, operator, target] = REDIRECT.exec(line.slice(i, i + LONGEST_TARGET))!
      if (operator === '<' || !/^[\w./~+@,:-]+$/.test(target!)) isPlain = false
      else if (!/^(?:\/dev\/null|\d+|-)$/.test(target!)) writes.push(target!)
      i += whole.length - 1
    } else if (/[;&|\n\r]/.test(character)) end()
    else command += character
  }
  end()
  return { commands, writes, isPlain: isPlain && !quoted && outer.length === 0 }
}

/** A longer target is cut, and the rest is part of the command. */
const LONGEST_TARGET = 4096

const isRedirect = (line: string, at: number) => line[at] !== '&' || line[at + 1] === '>'

/** Options and numbers of a wrapper; the next word is the command. */
const WRAPPERS = /^(?:timeout|time|nice|nohup|stdbuf|command|builtin|xargs)$/

/**
 * A command without the wrappers that Claude Code removes. `isLoose` also removes their options and the variables set
 * before a command, as for denials.
 */
export function unwrap(command: string, isLoose: boolean): string {
  const word = /\s*(\S+)/y
  let start = 0
  let wrapper = ''
  for (let found = word.exec(command); found !== null; found = word.exec(command)) {
    const text = found[1]!
    const at = word.lastIndex - text.length
    if (WRAPPERS.test(text)) {
      wrapper = text
      start = at
    } else if (!isArgument(wrapper, text, isLoose)) {
      // An option that is not known is one of the wrapper, which then stays.
      return command.slice(text.startsWith('-') ? start : at)
    }
  }
  // A wrapper alone is a command.
  return command.slice(start)
}

function isArgument(wrapper: string, text: string, isLoose: boolean): boolean {
  if (isLoose && wrapper !== 'xargs') return /^\w+=/.test(text) || (wrapper !== '' && /^[-\d]/.test(text))
  if (wrapper === 'timeout') return /^\d+(?:\.\d+)?[smhd]?$/.test(text)
  return wrapper === 'stdbuf' && /^-[ioe]\w+$/.test(text)
}

/** True when a command starts another program that a rule with a wildcard must not cover. */
export const startsOther = (command: string): boolean =>
  /^(?:watch|setsid|ionice|flock)\s/.test(command) || (/^find\s/.test(command) && /\s-(?:exec|ok|delete)/.test(command))
