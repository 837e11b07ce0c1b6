// Written by scripts/faults.mjs; do not edit.

// core/faults.ts says what each means.
export const NO_MEMORY = -1
export const BAD_INPUT = -2
export const JSON_UNEXPECTED = -10
export const JSON_END = -11
export const JSON_TRAILING = -12
export const JSON_UTF8 = -13
export const JSON_BOM = -14
export const JSON_UTF16 = -15
export const JSON_DUPLICATE = -16
export const JSON_SURROGATE = -17
export const JSON_ESCAPE = -18
export const JSON_CONTROL = -19
export const JSON_NUMBER = -20
export const JSON_OVERFLOW = -21
export const JSON_DEPTH = -22
export const JSON_POINTER = -23
export const PATTERN_EMPTY = -30
export const PATTERN_LONG = -31
export const PATTERN_UTF8 = -32
export const PATTERN_CONTROL = -33
export const PATTERN_SPACE = -34
export const PATTERN_NON_ASCII = -35
export const PATTERN_STARS = -36
export const PATTERN_GLOBSTAR_KIND = -37
export const PATTERN_GLOBSTAR_PLACE = -38
export const PATTERN_LABEL = -39
export const PATTERN_TAG_STAR = -40
export const PATTERN_SEGMENTS = -41
export const PATTERN_SET = -42
export const PATTERN_BLOB = -43
export const PATTERN_SUBJECTS = -44
export const PATTERN_WORK = -45
export const TEMPLATE_UNCLOSED = -50
export const TEMPLATE_EMPTY = -51
export const TEMPLATE_START = -52
export const TEMPLATE_CHARACTER = -53
export const TEMPLATE_UTF8 = -54
export const TEMPLATE_LARGE = -55
export const RANK_TYPE = -60
export const RANK_ID = -61
export const RANK_TAG = -62
export const RANK_TAGS = -63
export const RANK_LARGE = -64
export const RANK_RECORD = -65
export const RANK_WORD = -66
export const RANK_SIGNAL = -67
export const RANK_FULL = -68
export const RANK_QUERY = -69
export const RANK_STATISTICS = -70
export const RANK_CHUNK = -71
export const RANK_ORDER = -72
export const RANK_CHECKSUM = -73
export const RANK_CONTENT = -74

// core/json/tape.ts says what each means.
export const WARN_INTEGER = 1
export const WARN_UNDERFLOW = 2

// core/pattern/glob.ts says what each means.
export const WARN_BARE = 1
export const WARN_MIDDLE = 2
export const WARN_SPACE = 3
export const WARN_NON_ASCII = 4
export const WARN_HOST = 5
