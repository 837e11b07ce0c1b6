// Random YAML: texts in every style that the grammar has, and texts with a few edits. All are determined by the seed.
import { random } from './random.ts'

const TEXTS = [
  ...[
    'a',
    'name',
    'two words',
    'it is 5: yes',
    'x#y',
    'x #y',
    'a:b',
    'http://a.example/b?c=d#e',
    '-x',
    '- x',
    '?x',
    ':x',
  ],
  ...[
    'é',
    '€ 5',
    '日本',
    '😀',
    'a 😀 b',
    '\ufeff',
    'x\u00a0',
    '\u2028',
    'q"q',
    "it's",
    'back\\slash',
    'tab\there',
    'a,b',
  ],
  ...[
    '[x',
    '{x}',
    'a]b',
    '...',
    '---',
    '--- x',
    '<<',
    '=',
    '%x',
    '@x',
    '`x',
    '&x',
    '*x',
    '!x',
    '|',
    '>',
    '#',
    'x ',
    '',
  ],
  ...['a rather long text that goes on for some time, and then a little more'],
]
const VALUES = [
  ...[
    '0',
    '-0',
    '+1',
    '12',
    '012',
    '0x1F',
    '0x',
    '0o17',
    '0o8',
    '1.',
    '.5',
    '-.5',
    '+.5e3',
    '1e3',
    '1E+3',
    '1e',
    '.',
    '-',
  ],
  ...['1.5', '1_000', '0b11', '190:20:30', '.inf', '-.INF', '.nan', '1e400', '12345678901234567890', '1e-400', '+'],
  ...['~', 'null', 'Null', 'NULL', 'nUll', 'true', 'True', 'TRUE', 'false', 'yes', 'no', 'on', 'off', 'y', 'n'],
  ...['2001-12-14', '2001-12-14T21:59:43.10-05:00', '1.2.3', '', '*a', '&a b', '!!str x', '? x', ': x'],
]
const QUOTED = [
  ...[
    '""',
    "''",
    '"a"',
    "'a'",
    '"a: b"',
    "'a # b'",
    "'it''s'",
    '"\\""',
    '"\\\\"',
    '"\\n\\t\\0\\a\\e"',
    '"\\x41\\u00e9"',
  ],
  ...[
    '"\\U0001F600"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\U00110000"',
    '"\\x4"',
    '"\\q"',
    '"\\ x\\/\\N\\_\\L\\P"',
    '"\\\t"',
  ],
  ...[
    '"a\n  b"',
    "'a\n\n  b'",
    '"a\\\n  b"',
    '"a \t\n\n   b"',
    '"open',
    "'open",
    '"a"b',
    '"é😀"',
    '"\t"',
    "'\\'",
    '"a\n b"',
  ],
]
/** What most people write. */
const CALM = [
  'a',
  'two words',
  'x#y',
  'http://a.example/b?c=d#e',
  'é 😀',
  '12',
  '-1.5',
  'true',
  '~',
  '"a: b"',
  "'it''s'",
  '"\\u00e9\\n"',
]
const LINES = [
  '',
  ' ',
  '   ',
  '\t',
  '# comment',
  '  # comment',
  '      # deep',
  '#',
  '---',
  '...',
  '%YAML 1.2',
  '- ',
  'x',
]
const ENDS = ['', '', '', '', ' ', '  ', ' # comment', ' #', '\t', ' \t# tab', '#none', ' ,', ' :', ' x']
const PARTS = [
  ...[
    'a: b',
    'a:b',
    '"a": b',
    '"a":b',
    '- - a',
    '- a: b',
    '? a',
    ': b',
    '|',
    '>',
    '|-',
    '>+',
    '|2',
    '|2-',
    '>1+',
    '| # c',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    ': ',
    ' #',
    '#',
    '&a ',
    '*a',
    '!t ',
    '"',
    "'",
    '\n',
    '\n\n',
    ' ',
    '  ',
    '\t',
    '\r\n',
  ],
  ...[
    '<<: x',
    '~',
    'é',
    '😀',
    '\ufeff',
    '-',
    '- ',
    '---\n',
    '...\n',
    '\\',
    '%',
    '@',
    '`',
    '0',
    '.',
    '\u0085',
    '\u2028',
  ],
]

export function yamlTexts(seed: number) {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const is = (share: number) => next() < share
  /** False in half of the texts, whose parts are all usual. */
  let isWild = true
  const isOdd = (share: number) => is(share) && isWild

  const ends = () => (isWild ? ENDS : ENDS.slice(0, 8))
  const scalar = (): string => pick(isWild ? pick([TEXTS.slice(0, 4), TEXTS.slice(0, 4), TEXTS, VALUES, QUOTED]) : CALM)
  const name = (): string =>
    !isOdd(0.3) ? `${pick(['a', 'b', 'name', 'type', 'é', '😀', 'x y'])}${below(9)}` : scalar()
  const spaces = () => (!isOdd(0.05) ? ' ' : pick(['', '  ', '\t', '   ']))

  const flow = (depth: number): string => {
    if (depth <= 0 || is(0.4)) return scalar()
    const gap = () => (!isOdd(0.2) ? '' : pick([' ', '\n', '\n  ', ' # c\n  ', '\n\n   ', '\t', '#c\n', '\n# c\n   ']))
    const join = (items: string[]) => items.map((item) => `${gap()}${item}${gap()}`).join(',')
    const many = () => Array.from({ length: below(4) })
    const last = is(0.1) ? ',' : ''
    if (is(0.5))
      return `[${join(many().map(() => (isOdd(0.05) ? `${name()}: ${flow(0)}` : flow(depth - 1))))}${last}${gap()}]`
    const colon = () => (!isOdd(0.2) ? ': ' : pick([':', ' : ', ':\n  ', '\n: ', ': # c\n   ']))
    const member = () => `${name()}${is(0.9) ? `${colon()}${flow(depth - 1)}` : pick(['', ':', ': '])}`
    return `{${join(many().map(member))}${last}${gap()}}`
  }
  const block = (indent: number): string => {
    const header = pick(
      isWild ? ['|', '>', '|-', '>-', '|+', '>+', '|', '>', '|2', '>1-', '| # c', '|  ', '|x'] : ['|', '>-'],
    )
    const column = indent + (!isOdd(0.1) ? 2 : below(5))
    const lines = Array.from({ length: below(6) }, () => {
      if (is(0.25)) return ' '.repeat(isOdd(0.5) ? below(column + 3) : 0)
      return `${' '.repeat(Math.max(0, column + (isOdd(0.2) ? below(4) - 1 : 0)))}${isOdd(0.1) ? pick(LINES) : scalar()}${isOdd(0.1) ? ' ' : ''}`
    })
    return `${header}\n${lines.join('\n')}`
  }
  const folded = (indent: number) =>
    Array.from({ length: 1 + below(4) }, () => (isOdd(0.15) ? '' : scalar())).join(
      `\n${' '.repeat(indent + (isOdd(0.5) ? below(3) : 1))}`,
    )
  const between = (indent: number) =>
    is(0.85)
      ? ''
      : `${isOdd(0.3) ? pick(LINES) : `${' '.repeat(is(0.5) ? indent : below(indent + 4))}${pick(['', '# c', '#cc', '#'])}`}\n`
  const value = (indent: number, depth: number, after: string): string => {
    const kind = next()
    if (depth > 0 && kind < 0.45) {
      const isList = is(0.5)
      const column = indent + (!isOdd(0.1) ? 2 : below(4)) - (isList && is(0.3) ? 2 : 0)
      const isCompact = after === '-' && is(0.8)
      const nested = isList ? list(Math.max(0, column), depth - 1) : map(isCompact ? indent + 2 : column, depth - 1)
      return isCompact ? ` ${nested.trimStart()}` : `${pick(ends())}\n${between(indent)}${nested}`
    }
    const end = `${pick(ends())}\n`
    if (kind < 0.55) return `${spaces()}${block(indent)}\n`
    if (kind < 0.65) return `${spaces()}${flow(2)}${end}`
    if (kind < 0.7) return `${spaces()}${folded(indent + 1)}${end}`
    if (kind < 0.75)
      return `${end}${between(indent)}${' '.repeat(indent + 2)}${is(0.5) ? scalar() : folded(indent + 1)}${end}`
    return `${spaces()}${scalar()}${end}`
  }
  const items = (make: () => string, indent: number) =>
    Array.from({ length: 1 + below(4) }, () => `${between(indent)}${make()}`).join('')
  const map = (indent: number, depth: number): string =>
    items(() => `${' '.repeat(indent)}${name()}${isOdd(0.05) ? ' ' : ''}:${value(indent, depth, ':')}`, indent)
  const list = (indent: number, depth: number): string =>
    items(() => `${' '.repeat(indent)}-${value(indent, depth, '-')}`, indent)

  const text = (): string => {
    isWild = is(0.5)
    const start = is(0.8)
      ? ''
      : pick(['---\n', '# c\n', '--- # c\n', '\n\n', '--- ', '%YAML 1.2\n---\n', '\ufeff', '  '])
    const body = is(0.6) ? map(0, 3) : is(0.6) ? list(0, 3) : !isOdd(0.3) ? `${flow(4)}\n` : value(0, 2, ':')
    const end = !isOdd(0.1) ? '' : pick(['...\n', '---\n', '# c', '\n\n', '  ', '--- a\n', '\ufeff'])
    const whole = `${start}${body}${end}`
    return is(0.05) ? whole.replaceAll('\n', '\r\n') : is(0.1) ? whole.trimEnd() : whole
  }
  /** A text with an edit of a kind that people and programs make. */
  const edited = (source: string): string => {
    const lines = source.split('\n')
    const at = below(source.length + 1)
    const line = below(lines.length)
    const withLine = (...changed: string[]) => lines.toSpliced(line, 1, ...changed).join('\n')
    return pick<() => string>([
      () => source.slice(0, at),
      () => source.slice(0, at) + source.slice(at + 1 + below(3)),
      () => source.slice(0, at) + pick(PARTS) + source.slice(at),
      () => source.slice(0, at) + pick(PARTS) + source.slice(at + 1),
      () => withLine(lines[line]!, lines[line]!),
      () => withLine(),
      () => withLine(` ${lines[line]}`),
      () => withLine(lines[line]!.replace(/^ {1,2}/, '')),
      () => withLine(lines[line]!.replace(/^ +/, '\t')),
      () => withLine(`${lines[line]}${pick(ENDS)}`),
      () => withLine(lines[line]!, pick(LINES)),
      () => withLine(lines[line]!.replace(/[^ :-].*$/, scalar)),
      () => withLine(lines[line]!.replace(/: .*$/, () => `: ${scalar()}`)),
      () => withLine(`${lines[line]!.slice(0, below(9))}${pick(PARTS)}`),
      () => source.replaceAll('\n', '\r\n'),
      () => `${source.slice(0, at)}\r${source.slice(at)}`,
    ])()
  }
  const times = (source: string): string => Array.from({ length: 1 + below(3) }).reduce<string>(edited, source)
  return { text, edited: times }
}
