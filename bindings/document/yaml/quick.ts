// Reads the YAML that people mostly write, in one pass, 20 times as fast as the yaml package. It knows
// only a part of the grammar, exactly; whatever else a text has, the package reads all of it (parse.ts).
import { type QuickYaml, ScalarReader, UNSURE } from './quick-scalars.ts'

/** A name may be followed by its colon this many characters later at most (YAML 1.2.2 section 7.4.2): 1024. */
const LONGEST_NAME = 1000

/**
 * Reads a text without control characters. Undefined when only the package knows: for anchors, tags,
 * directives, explicit names, further documents, names that are not strings, and everything invalid. The caller must
 * read the JSON strictly: names may be duplicate there.
 */
export function readQuickly(text: string, maxDepth: number, maxTokens: number): QuickYaml | undefined {
  try {
    return new Reader(text, maxDepth).read(maxTokens)
  } catch (fault) {
    if (fault !== UNSURE) throw fault
    return undefined
  }
}

class Reader extends ScalarReader {
  readonly #maxDepth: number
  #depth = 0
  /** The column of the node that begins at this place; -1 at the end of the text. */
  #column = -1

  constructor(text: string, maxDepth: number) {
    super(text)
    this.#maxDepth = maxDepth
  }

  read(maxTokens: number): QuickYaml {
    this.#toContent(0)
    if (this.#isMarker(this.#column)) {
      if (this.text[this.at] === '.') throw UNSURE
      this.#next(this.at + 3)
    }
    const first = this.text[this.at]
    const isByteOrderMark = first === '\ufeff'
    const isCollection = first === '[' || first === '{' || this.#isDash() || this.#isName()
    if (isByteOrderMark || !isCollection) throw UNSURE
    this.#node(0)
    if (this.#column >= 0 || this.tokens > maxTokens) throw UNSURE
    return this.written()
  }

  /** Goes from the end of a value to the node on one of the next lines. */
  #next(from: number): void {
    this.#toContent(this.nextLine(this.restOfLine(from)))
    if (this.#isMarker(this.#column)) throw UNSURE
  }

  /** Goes from the beginning of a line to the first node, past empty lines and comments. */
  #toContent(from: number): void {
    for (let line = from; ; ) {
      this.tokens += 3
      const at = this.spacesEnd(line)
      const char = this.text[at]
      if (char === '#') {
        this.tokens += 2
        line = this.nextLine(this.lineEnd(at))
      } else if (char === '\n' || char === '\r') line = this.nextLine(at)
      else if (char === '\t') throw UNSURE
      else {
        this.at = at
        this.#column = char === '\0' ? -1 : at - line
        return
      }
    }
  }

  /** True for a line that begins or ends a document. */
  #isMarker(column: number): boolean {
    const { text, at } = this
    return column === 0 && (text.startsWith('---', at) || text.startsWith('...', at)) && this.isBlank(at + 3)
  }

  #isDash(): boolean {
    return this.text[this.at] === '-' && this.isBlank(this.at + 1)
  }

  /** True when a name with its colon begins here. */
  #isName(): boolean {
    const { at } = this
    const first = this.text[at]
    if (first === '[' || first === '{' || first === '|' || first === '>') return false
    if (first !== '"' && first !== "'") {
      this.plainEnd(at, false)
      return this.text[this.stop] === ':'
    }
    const colon = this.spacesEnd(this.quoteEnd() + 1)
    return this.text[colon] === ':' && this.isBlank(colon + 1)
  }

  /** Reads a node, whose further lines begin in column `least` or after it. */
  #node(least: number): void {
    if (this.#isDash()) this.#sequence(this.#column)
    else if (this.#isName()) this.#mapping(this.#column)
    else this.#value(least)
  }

  #value(least: number): void {
    const first = this.text[this.at]
    if (first === '"' || first === "'") this.quoted()
    else if (first === '|' || first === '>') this.blockScalar(least)
    else if (first === '[' || first === '{') this.#flow(least, 1)
    else this.plain(least)
    this.#next(this.at)
  }

  #begin(bracket: string): number {
    if (++this.#depth > this.#maxDepth) throw UNSURE
    this.json += bracket
    return this.entry(this.at, this.at)
  }

  #finish(entry: number, bracket: string, end: number): void {
    this.#depth--
    this.json += bracket
    this.endEntry(entry, end)
  }

  #sequence(column: number): void {
    const entry = this.#begin('[')
    for (let count = 0; this.#column === column && this.#isDash(); count++) {
      if (count > 0) this.json += ','
      this.tokens += 2
      const dash = this.at
      this.at = this.spacesEnd(dash + 1)
      if (!this.#isRestEmpty(dash)) {
        this.#column = column + this.at - dash
        this.#node(column + 1)
      } else this.#nodeBelow(column)
    }
    this.#finish(entry, ']', this.end)
    if (this.#column > column) throw UNSURE
  }

  #mapping(column: number): void {
    const entry = this.#begin('{')
    for (let count = 0; this.#column === column; count++) {
      if (count > 0) this.json += ','
      this.#name()
      const colon = this.at - 1
      this.at = this.spacesEnd(this.at)
      if (!this.#isRestEmpty(colon)) this.#value(column + 1)
      else this.#nodeBelow(column, true)
    }
    this.#finish(entry, '}', this.end)
    if (this.#column > column) throw UNSURE
  }

  /** True when nothing but a comment follows in the line of an indicator. */
  #isRestEmpty(indicator: number): boolean {
    const char = this.text[this.at]
    return char === '\n' || char === '\r' || char === '\0' || (char === '#' && this.at > indicator + 1)
  }

  /** Reads the node on the next lines, or null where none is. A list may begin in the column of its name. */
  #nodeBelow(column: number, isNamed = false): void {
    const empty = this.at
    // A comment needs the space in front of it.
    this.#next(this.text[empty] === '#' ? empty - 1 : empty)
    if (this.#column > column || (isNamed && this.#column === column && this.#isDash())) this.#node(column + 1)
    else this.null(empty)
  }

  /** Reads a name and its colon. */
  #name(): void {
    const { at: start } = this
    if (this.text[start] === '"' || this.text[start] === "'") {
      this.quoted()
      this.stop = this.spacesEnd(this.at)
      if (!this.isBlank(this.stop + 1)) throw UNSURE
    } else this.plainName(start, this.plainEnd(start, false))
    if (this.text[this.stop] !== ':' || this.stop - start > LONGEST_NAME) throw UNSURE
    this.json += ':'
    this.tokens += 2
    this.at = this.stop + 1
  }

  // Flow collections

  #flow(least: number, level: number): void {
    const { at: start } = this
    const isMap = this.text[start] === '{'
    const close = isMap ? '}' : ']'
    const entry = this.#begin(isMap ? '{' : '[')
    this.at++
    this.#flowSpace(least, level)
    for (let count = 0; this.text[this.at] !== close; count++) {
      if (count > 0) this.json += ','
      if (isMap) this.#flowMember(least, level)
      else this.#flowValue(least, level)
      this.#flowSpace(least, level)
      if (this.text[this.at] === ',') {
        this.at++
        this.tokens += 2
        this.#flowSpace(least, level)
      } else if (this.text[this.at] !== close) throw UNSURE
    }
    this.at++
    this.#finish(entry, isMap ? '}' : ']', this.at)
  }

  #flowValue(least: number, level: number): void {
    const { at: start } = this
    const first = this.text[start]
    if (first === '"' || first === "'") this.quoted()
    else if (first === '[' || first === '{') this.#flow(least, level + 1)
    else {
      this.at = this.plainEnd(start, true)
      this.plainValue(start)
    }
  }

  #flowMember(least: number, level: number): void {
    const { at: start } = this
    if (this.text[start] === '"' || this.text[start] === "'") {
      this.quoted()
      this.stop = this.spacesEnd(this.at)
    } else {
      this.at = this.plainEnd(start, true)
      this.plainName(start, this.at)
    }
    this.json += ':'
    this.tokens += 2
    const isAlone = this.text[this.stop] !== ':'
    const empty = isAlone ? this.at : this.spacesEnd(this.stop + 1)
    this.at = empty
    if (!isAlone) this.#flowSpace(least, level)
    if (isAlone || this.text[this.at] === ',' || this.text[this.at] === '}') this.null(empty)
    else this.#flowValue(least, level)
  }

  /** Skips white space and comments between the parts of a flow collection, and checks the indentation of lines. */
  #flowSpace(least: number, level: number): void {
    let line = -1
    for (let at = this.at; ; ) {
      at = this.spacesEnd(at)
      const char = this.text[at]
      if (char === '#' && this.text[at - 1] === ' ') {
        this.tokens += 2
        at = this.lineEnd(at)
      } else if (char === '\n' || char === '\r') {
        this.tokens += 3
        line = at = this.nextLine(at)
      } else {
        this.at = at
        if (line >= 0) this.#checkColumn(at - line, least, level)
        return
      }
    }
  }

  #checkColumn(column: number, least: number, level: number): void {
    const char = this.text[this.at]
    const isEnd = level === 1 && column === least - 1 && (char === ']' || char === '}')
    if (column < least && !isEnd) throw UNSURE
    if (this.#isMarker(column)) throw UNSURE
  }
}
