/**
 * A second reader and writer of RFC 8785, written for clarity only: recursive, over code units, with the host's own
 * Number, String and sort. The core shares no line and no idea with it.
 */

export interface OracleFault {
  code: number
  offset: number
  first: number
}

export type OracleResult = { canonical: string; warnings: { code: number; offset: number }[] } | { fault: OracleFault }

type Value =
  | { kind: 'object'; members: Map<string, Value> }
  | { kind: 'array'; items: Value[] }
  | { kind: 'text'; text: string }

class Refusal {
  constructor(fault: OracleFault) {
    this.fault = fault
  }
  fault: OracleFault
}

const refuse = (code: number, offset: number, first = -1): never => {
  throw new Refusal({ code, offset, first })
}

export function oracle(bytes: Uint8Array, maxDepth = 1024): OracleResult {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { fault: { code: -14, offset: 0, first: -1 } }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { fault: { code: -15, offset: 0, first: -1 } }
  }
  const reader = new Reader(bytes, maxDepth)
  try {
    const value = reader.document()
    return { canonical: write(value), warnings: reader.warnings }
  } catch (e) {
    if (!(e instanceof Refusal)) throw e
    return { fault: e.fault.offset <= 1 && zeroesOfUtf16(bytes) ? { code: -15, offset: 0, first: -1 } : e.fault }
  }
}

/** RFC 4627 section 3: a JSON text begins with two ASCII characters, so where its zero bytes lie tells the encoding. */
function zeroesOfUtf16(bytes: Uint8Array): boolean {
  const shape = [...bytes.subarray(0, 4)].map((byte) => (byte === 0 ? '0' : 'x')).join('')
  return ['0x', 'x0', '0x0x', 'x0x0', '000x', 'x000'].includes(shape)
}

/** UTF-16 code unit order is what JavaScript's own comparison of strings does. */
function write(value: Value): string {
  if (value.kind === 'text') return value.text
  if (value.kind === 'array') return `[${value.items.map(write).join(',')}]`
  const names = [...value.members.keys()].sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${write(value.members.get(name)!)}`).join(',')}}`
}

class Reader {
  warnings: { code: number; offset: number }[] = []
  private at = 0
  private depth = 0
  private bytes: Uint8Array
  private maxDepth: number

  constructor(bytes: Uint8Array, maxDepth: number) {
    this.bytes = bytes
    this.maxDepth = maxDepth
  }

  document(): Value {
    this.space()
    const value = this.value()
    this.space()
    if (this.at < this.bytes.length) refuse(-12, this.at)
    return value
  }

  private peek(): string {
    return this.at < this.bytes.length ? String.fromCharCode(this.bytes[this.at]!) : ''
  }

  private wrong(code = -10): never {
    return refuse(this.at >= this.bytes.length ? -11 : code, this.at)
  }

  private space(): void {
    while (this.peek() !== '' && ' \t\n\r'.includes(this.peek())) this.at++
  }

  private value(): Value {
    const c = this.peek()
    if (c === '{' || c === '[') {
      if (++this.depth > this.maxDepth) refuse(-22, this.at)
      const value = c === '{' ? this.object() : this.array()
      this.depth--
      return value
    }
    if (c === '"') return { kind: 'text', text: JSON.stringify(this.string()) }
    if (c === '-' || (c >= '0' && c <= '9')) return { kind: 'text', text: this.number() }
    for (const word of ['true', 'false', 'null']) {
      if (c === word[0]) {
        for (const letter of word) {
          if (this.peek() !== letter) this.wrong()
          this.at++
        }
        return { kind: 'text', text: word }
      }
    }
    return this.wrong()
  }

  private object(): Value {
    const members = new Map<string, Value>()
    const places = new Map<string, number>()
    let twice: OracleFault | undefined
    this.at++
    this.space()
    if (this.peek() === '}') this.at++
    else {
      for (;;) {
        if (this.peek() !== '"') this.wrong()
        const place = this.at
        const name = this.string()
        if (members.has(name)) twice ??= { code: -16, offset: place, first: places.get(name)! }
        places.set(name, place)
        this.space()
        if (this.peek() !== ':') this.wrong()
        this.at++
        this.space()
        members.set(name, this.value())
        this.space()
        if (this.peek() === '}') break
        if (this.peek() !== ',') this.wrong()
        this.at++
        this.space()
      }
      this.at++
    }
    if (twice) throw new Refusal(twice)
    return { kind: 'object', members }
  }

  private array(): Value {
    const items: Value[] = []
    this.at++
    this.space()
    if (this.peek() === ']') {
      this.at++
      return { kind: 'array', items }
    }
    for (;;) {
      items.push(this.value())
      this.space()
      if (this.peek() === ']') break
      if (this.peek() !== ',') this.wrong()
      this.at++
      this.space()
    }
    this.at++
    return { kind: 'array', items }
  }

  private string(): string {
    let text = ''
    this.at++
    for (;;) {
      const c = this.peek()
      if (c === '') this.wrong()
      if (c === '"') {
        this.at++
        return text
      }
      if (c < ' ') refuse(-19, this.at)
      if (c === '\\') text += this.escape()
      else text += this.character()
    }
  }

  private escape(): string {
    const start = this.at
    const rest = String.fromCharCode(...this.bytes.subarray(start, start + 12))
    const short: Record<string, string> = {
      '"': '"',
      '\\': '\\',
      '/': '/',
      b: '\b',
      f: '\f',
      n: '\n',
      r: '\r',
      t: '\t',
    }
    const one = short[rest[1] ?? '']
    if (one !== undefined) {
      this.at += 2
      return one
    }
    const unit = this.unit(rest, start)
    this.at += 6
    if (unit >= 0xdc00 && unit <= 0xdfff) refuse(-17, start)
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit)
    if (rest.slice(6, 8) !== '\\u') refuse(-17, start)
    const low = this.unit(rest.slice(6), start + 6)
    if (low < 0xdc00 || low > 0xdfff) refuse(-17, start)
    this.at += 6
    return String.fromCharCode(unit, low)
  }

  private unit(rest: string, start: number): number {
    const digits = /^\\u([0-9a-fA-F]{4})/.exec(rest)
    if (digits) return Number.parseInt(digits[1]!, 16)
    const good = /^\\(u[0-9a-fA-F]{0,3})?/.exec(rest)![0].length
    return start + good >= this.bytes.length ? refuse(-11, this.bytes.length) : refuse(-18, start)
  }

  private character(): string {
    const lead = this.bytes[this.at]!
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    try {
      const c = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        this.bytes.subarray(this.at, this.at + length),
      )
      if (c.length !== (length === 4 ? 2 : 1)) throw new Error('more than one character')
      this.at += length
      return c
    } catch {
      return refuse(-13, this.at)
    }
  }

  private number(): string {
    const start = this.at
    const digits = (): number => {
      const from = this.at
      while (this.peek() >= '0' && this.peek() <= '9') this.at++
      return this.at - from
    }
    if (this.peek() === '-') this.at++
    const leading = this.peek()
    if (digits() === 0) this.wrong(-20)
    let integer = true
    if (leading === '0') {
      const first = start + (this.bytes[start] === 0x2d ? 1 : 0)
      if (this.at > first + 1) refuse(-20, first + 1)
    }
    if (this.peek() === '.') {
      integer = false
      this.at++
      if (digits() === 0) this.wrong(-20)
    }
    if (this.peek() === 'e' || this.peek() === 'E') {
      integer = false
      this.at++
      if (this.peek() === '+' || this.peek() === '-') this.at++
      if (digits() === 0) this.wrong(-20)
    }
    const token = String.fromCharCode(...this.bytes.subarray(start, this.at))
    const value = Number(token)
    if (!Number.isFinite(value)) refuse(-21, start)
    if (integer && Math.abs(value) > Number.MAX_SAFE_INTEGER) this.warnings.push({ code: 1, offset: start })
    if (value === 0 && /[1-9]/.test(token.split(/[eE]/)[0]!)) this.warnings.push({ code: 2, offset: start })
    return String(value === 0 ? 0 : value)
  }
}
