// A line of Bash as Claude Code compares it with rules: split into commands, without wrappers.
// https://code.claude.com/docs/en/permissions#compound-commands

/** A command line in parts. */
export interface ShellLine {
  /** Every command: of the line itself, of subshells, substitutions and bodies of loops. */
  readonly commands: readonly string[]
  /** The same without quotes: a quoted character that would separate words, or stand for others, is moved by MOVED. */
  readonly bare: readonly string[]
  /** The files that the line reads by a redirection. */
  readonly reads: readonly string[]
  /** The files that the line writes by a redirection. */
  readonly writes: readonly string[]
  /** True when the text shows everything that runs: no variable, substitution, keyword or document in it. */
  readonly isPlain: boolean
}

/** Keywords that may stand before a command. */
const KEYWORD =
  /^(?:if|then|elif|else|do|while|until|for|case|select|function|coproc|fi|done|esac|!|\{|\}|\[\[)(?=\s|$)\s*/
const REDIRECT = /^(?:\d*|&)(>>?\|?|<)(&?)[ \t]*([^\s;&|<>()]*)/
/** A file whose name a shell leaves as it is. It replaces `~name`, `~+` and `~-`. */
const PLAIN_FILE = /^(?:~\/)?[\w./+@,:-][\w./~+@,:-]*$/

/** Characters that mean something to a shell unless they are quoted, and their places in a private area. */
const MOVED = 0xe000
const moved = (text: string): string =>
  text.replace(/[ \t\n*?[{~]/g, (character) => String.fromCharCode(MOVED + character.charCodeAt(0)))
/** A part of a bare command as a program gets it. */
export const unmoved = (text: string): string =>
  text.replace(/[\ue000-\ue07f]/g, (character) => String.fromCharCode(character.charCodeAt(0) - MOVED))

/** The name of a program that a shell still replaces. `[` is one itself. */
const OPEN_NAME = /^(?!\[ )[^ \t]*[*?[{]/

/** White space that only JavaScript takes for some, and characters that stand for moved ones. */
const FOREIGN = /[^\S \t\n]|[\ue000-\ue07f\0]/

/** Splits a line at its operators. Quotes and escapes hide them. */
export function splitLine(line: string): ShellLine {
  return new Splitter(line).split()
}

class Splitter {
  readonly #line: string
  readonly #commands: string[] = []
  readonly #bareCommands: string[] = []
  readonly #reads: string[] = []
  readonly #writes: string[] = []
  #isPlain: boolean
  #command = ''
  #bare = ''
  #quoted = false
  /** For each open substitution, whether it stands in double quotes. */
  readonly #outer: boolean[] = []
  #at = 0

  constructor(line: string) {
    this.#line = line
    this.#isPlain = !FOREIGN.test(line)
  }

  split(): ShellLine {
    const line = this.#line
    for (let isWordStart = true; this.#at < line.length; this.#at++) {
      const character = line[this.#at]!
      // A quote in a comment is none, so the next line is not quoted.
      if (character === '#' && isWordStart && !this.#quoted) this.#at = lineEnd(line, this.#at) - 1
      else this.#step(character)
      isWordStart = /[ \t\n;&|()]/.test(character)
    }
    this.#end()
    const isPlain = this.#isPlain && !this.#quoted && this.#outer.length === 0
    return {
      commands: this.#commands,
      bare: this.#bareCommands,
      reads: this.#reads,
      writes: this.#writes,
      isPlain,
    }
  }

  #step(character: string): void {
    const next = this.#line[this.#at + 1]
    if (character === '\\') this.#escaped(next)
    else if (character === "'" && !this.#quoted) this.#singleQuoted()
    else if (character === '"') {
      this.#quoted = !this.#quoted
      this.#command += character
    } else if (character === '`' || (character === '$' && next === '(')) {
      if (character === '$') this.#at++
      this.#open()
    } else if (character === '$') this.#dollar(next)
    else if (this.#quoted) this.#add(character, moved(character))
    else if (character === '(') this.#open()
    else if (character === ')') {
      this.#end()
      this.#quoted = this.#outer.pop() ?? false
    } else if (character === '>' || character === '<' || (character === '&' && next === '>')) this.#redirect()
    else if (/[;&|\n\r]/.test(character)) this.#end()
    else this.#add(character, character)
  }

  #add(text: string, bare: string): void {
    this.#command += text
    this.#bare += bare
  }

  #escaped(next = ''): void {
    this.#at++
    // Bash joins the lines.
    if (next === '\n') this.#isPlain = false
    else this.#add(`\\${next}`, moved(next))
  }

  #singleQuoted(): void {
    const close = this.#line.indexOf("'", this.#at + 1)
    const end = close < 0 ? this.#line.length : close
    if (close < 0) this.#isPlain = false
    this.#add(this.#line.slice(this.#at, end + 1), moved(this.#line.slice(this.#at + 1, end)))
    this.#at = end
  }

  /** A variable, or a text with escapes: `$'it\'s'`. */
  #dollar(next: string | undefined): void {
    this.#isPlain = false
    this.#add('$', '$')
    if (next !== "'" || this.#quoted) return
    let end = this.#at + 2
    while (end < this.#line.length && this.#line[end] !== "'") end += this.#line[end] === '\\' ? 2 : 1
    this.#add(this.#line.slice(this.#at + 1, end + 1), moved(this.#line.slice(this.#at + 2, end)))
    this.#at = end
  }

  #redirect(): void {
    if (/(?:^|\s)\d$/.test(this.#command.slice(-2))) {
      this.#command = this.#command.slice(0, -1)
      this.#bare = this.#bare.slice(0, -1)
    }
    const [whole, operator, copies, target] = REDIRECT.exec(this.#line.slice(this.#at, this.#at + LONGEST_TARGET))!
    const isFile = !(copies === '&' && /^(?:\d+|-)$/.test(target!)) && target !== '/dev/null'
    if (operator === '<' || !PLAIN_FILE.test(target!) || whole.length === LONGEST_TARGET) this.#isPlain = false
    // The second sign of `<<` has the end of a document or a text after it.
    const files = operator !== '<' ? this.#writes : this.#line[this.#at - 1] === '<' ? [] : this.#reads
    if (isFile && target !== '') files.push(target!.replaceAll(/['"\\]/g, ''))
    this.#at += whole.length - 1
  }

  #open(): void {
    this.#isPlain = false
    this.#outer.push(this.#quoted)
    this.#quoted = false
    this.#end()
  }

  #end(): void {
    const command = this.#withoutKeywords(this.#command.trim())
    const bare = this.#withoutKeywords(this.#bare.trim())
    if (OPEN_NAME.test(bare)) this.#isPlain = false
    if (command !== '') this.#commands.push(command)
    if (bare !== '') this.#bareCommands.push(bare.replace(/[ \t]+/g, ' '))
    this.#command = ''
    this.#bare = ''
  }

  #withoutKeywords(text: string): string {
    let rest = text
    for (let found = KEYWORD.exec(rest); found !== null; found = KEYWORD.exec(rest)) {
      this.#isPlain = false
      rest = rest.slice(found[0].length)
    }
    return rest
  }
}

function lineEnd(line: string, from: number): number {
  const at = line.indexOf('\n', from)
  return at < 0 ? line.length : at
}

/** A longer target is cut, and the line is not plain. */
const LONGEST_TARGET = 4096

/**
 * The parts of a line between everything that may begin a command, also within quotes: what a line that is not plain
 * may run.
 */
export const bluntParts = (line: string): readonly string[] => {
  const joined = line.replaceAll('\\\n', '').replaceAll(/['"\\]/g, '')
  const parts = joined.split(/[;&|\n\r(){}`$<>]+/).map((part) => part.trim().replace(/\s+/g, ' '))
  return parts.flatMap((part) => (part.includes(',') ? [part, part.replaceAll(',', ' ')] : part))
}

/** Options and numbers of a wrapper; the next word is the command. */
const WRAPPERS = /^(?:timeout|time|nice|nohup|stdbuf|command|builtin|xargs)$/

/** A command without the wrappers that Claude Code removes, and without those of their options that it knows. */
export function unwrap(command: string): string {
  const word = /\s*(\S+)/y
  let start = 0
  let wrapper = ''
  for (let found = word.exec(command); found !== null; found = word.exec(command)) {
    const text = found[1]!
    const at = word.lastIndex - text.length
    if (WRAPPERS.test(text)) {
      wrapper = text
      start = at
    } else if (!isArgument(wrapper, text)) {
      // An option that is not known is one of the wrapper, which then stays.
      return command.slice(text.startsWith('-') ? start : at)
    }
  }
  // A wrapper alone is a command.
  return command.slice(start)
}

function isArgument(wrapper: string, text: string): boolean {
  if (wrapper === 'timeout') return /^\d+(?:\.\d+)?[smhd]?$/.test(text)
  return wrapper === 'stdbuf' && /^-[ioe]\w+$/.test(text)
}

/** A variable that is set before a command. */
const ASSIGNMENT = /^\w+(?:\[[^\]]*\])?\+?=/
/** More values of options are not skipped. */
const MOST_FORMS = 4

/**
 * What a command may run, for denials: without wrappers, all of their options, and variables that are set before it. A
 * word after an option may be the option's value.
 */
export function unwrapLoosely(command: string): readonly string[] {
  const forms: string[] = []
  const word = /\s*(\S+)/y
  let wrapper = ''
  let isAfterOption = false
  for (let found = word.exec(command); found !== null && forms.length < MOST_FORMS; found = word.exec(command)) {
    const text = found[1]!
    const isOption = wrapper !== '' && wrapper !== 'xargs' && /^[-.\d]/.test(text)
    if (WRAPPERS.test(text)) wrapper = text
    else if (!isOption && (wrapper === 'xargs' || !ASSIGNMENT.test(text))) {
      forms.push(command.slice(word.lastIndex - text.length))
      if (!isAfterOption) break
    }
    isAfterOption = isOption && text.startsWith('-') && !text.includes('=')
  }
  return forms.length === 0 ? [command] : forms
}

/** True when a command starts another program that a rule with a wildcard must not cover. Quotes do not count. */
export function startsOther(command: string): boolean {
  const bare = unwrap(command.replaceAll(/['"\\]/g, ''))
  return /^(?:watch|setsid|ionice|flock)\s/.test(bare) || (/^find\s/.test(bare) && /\s-(?:exec|ok|delete)/.test(bare))
}
