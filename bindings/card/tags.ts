import { suggest } from '../text/words.ts'

/** The recommended first segments (Agent Card section 3.6.1, table 6), in the order of the table. */
export const TAG_CATEGORIES: readonly {
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
}[] = [
  {
    name: 'nlp',
    description: 'Natural language processing',
    examples: ['nlp/translation', 'nlp/generation/summarization'],
  },
  { name: 'vision', description: 'Computer vision', examples: ['vision/object-detection', 'vision/ocr'] },
  { name: 'audio', description: 'Audio and speech', examples: ['audio/speech-to-text', 'audio/music-generation'] },
  {
    name: 'analytical',
    description: 'Analytical and reasoning',
    examples: ['analytical/data-analysis', 'analytical/optimization'],
  },
  { name: 'coding', description: 'Software development', examples: ['coding/code-generation', 'coding/debugging'] },
  {
    name: 'retrieval',
    description: 'Information retrieval',
    examples: ['retrieval/web-search', 'retrieval/knowledge-base'],
  },
  { name: 'creative', description: 'Creative production', examples: ['creative/writing', 'creative/design'] },
  { name: 'ops', description: 'Operations', examples: ['ops/deployment', 'ops/monitoring', 'ops/security'] },
]

const words = (text: string): readonly string[] => text.split(' ')

/** The 53 flat tags that ClawNet, the draft's reference implementation, calls standard, in its groups. */
export const STANDARD_TAGS: Readonly<Record<string, readonly string[]>> = {
  development: words('code-review debugging testing devops ci-cd frontend backend fullstack api-design database'),
  languages: words('python javascript typescript go rust java c cpp ruby swift kotlin php shell'),
  'ai-ml': words('machine-learning deep-learning nlp computer-vision data-science data-analysis llm fine-tuning rag'),
  content: words('writing translation copywriting documentation editing proofreading summarization'),
  research: words('research literature-review data-collection competitive-analysis market-research'),
  design: words('ui-design ux-design graphic-design prototyping'),
  ops: words('deployment monitoring security cloud networking'),
}

/**
 * The 22 aliases of ClawNet. They apply to flat tags only: `ops` is also a category, and `ops/deployment` is not
 * `devops/deployment`. No alias leads to another alias, except that `data-collection` stands for itself.
 */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ['js', 'javascript'],
  ['ts', 'typescript'],
  ['py', 'python'],
  ['golang', 'go'],
  ['c++', 'cpp'],
  ['ml', 'machine-learning'],
  ['dl', 'deep-learning'],
  ['cv', 'computer-vision'],
  ['translate', 'translation'],
  ['write', 'writing'],
  ['edit', 'editing'],
  ['review', 'code-review'],
  ['test', 'testing'],
  ['deploy', 'deployment'],
  ['ops', 'devops'],
  ['frontend-dev', 'frontend'],
  ['backend-dev', 'backend'],
  ['full-stack', 'fullstack'],
  ['data-analytics', 'data-analysis'],
  ['data-collection', 'data-collection'],
  ['web-scraping', 'data-collection'],
  ['scraping', 'data-collection'],
])

/** Tags that are in their canonical spelling, except aliases: most are. */
const PLAIN = /^[a-z\d-]+(?:\/[a-z\d-]+)*$/

/**
 * Returns the canonical spelling of a tag: lower case, hyphens for white space, no empty segments. A flat tag that is
 * an alias is replaced by its standard tag. A query tag keeps a trailing `/*`. Empty when the tag has no segment.
 *
 * Matching does not normalize: normalize both, or neither.
 *
 * @example
 * normalizeTag(' ML ') // 'machine-learning'
 * normalizeTag('NLP//Text Analysis/') // 'nlp/text-analysis'
 * normalizeTag('ops/deployment') // 'ops/deployment', though the flat tag ops is an alias of devops
 *
 * @throws {TypeError} when the tag is not a string.
 */
export function normalizeTag(tag: string): string {
  checkTag('tag', tag)
  if (PLAIN.test(tag)) return ALIASES.get(tag) ?? tag
  const segments = tag
    .toLowerCase()
    .split('/')
    .map((segment) => segment.trim().replace(/\s+/g, '-'))
    .filter((segment) => segment !== '')
  const path = segments.join('/')
  return segments.length === 1 ? (ALIASES.get(path) ?? path) : path
}

/** Throws for a value that is not a string. */
function checkTag(name: string, tag: unknown): void {
  if (typeof tag !== 'string') throw new TypeError(`${name}: expected a string, got ${typeof tag}`)
}

/**
 * True when a query tag matches a tag (Agent Card section 3.6.1): the tag itself or anything below it. A trailing `/*`
 * changes nothing, because `nlp` already matches `nlp/translation`. A star elsewhere is an ordinary character.
 * Characters are compared exactly. The index of a directory gives the same results.
 *
 * @example
 * matchTag('nlp', 'nlp/translation') // true: parent match
 * matchTag('nlp/*', 'nlp/text-analysis/sentiment') // true: prefix match
 * matchTag('nlp/translation', 'nlp') // false: a general skill does not imply a specific one
 *
 * @throws {TypeError} when an argument is not a string.
 */
export function matchTag(query: string, tag: string): boolean {
  checkTag('query', query)
  checkTag('tag', tag)
  const path = query.length > 2 && query.endsWith('/*') ? query.slice(0, -2) : query
  return path !== '' && tag.startsWith(path) && (tag.length === path.length || tag[path.length] === '/')
}

const FLAT = Object.values(STANDARD_TAGS).flat()
const CATEGORIES = TAG_CATEGORIES.map(({ name }) => name)
const PATHS = TAG_CATEGORIES.flatMap(({ examples }) => examples)
/** The segments that may follow a category. */
const SEGMENTS = [...new Set([...FLAT, ...PATHS.flatMap((path) => path.split('/').slice(1))])]

/** Bounds the input: even with all tolerated mistakes, tags of the vocabulary are shorter. */
const LONGEST = 100

/**
 * "did you mean": returns the tag of the standard vocabulary that was probably meant, in its canonical spelling.
 * Undefined for a tag that is already standard, and for one that resembles none. Any other tag is allowed as well.
 *
 * @example
 * suggestTag('pyhton') // 'python'
 * suggestTag('ML') // 'machine-learning'
 * suggestTag('npl/tranlation') // 'nlp/translation'
 *
 * @throws {TypeError} when the tag is not a string.
 */
export function suggestTag(tag: string): string | undefined {
  const meant = nearest(normalizeTag(tag))
  return meant === tag ? undefined : meant
}

function nearest(tag: string): string | undefined {
  if (tag.length > LONGEST) return undefined
  const [first, ...others] = tag.split('/')
  if (others.length === 0)
    return nearestIn(tag, [...FLAT, ...CATEGORIES]) ?? standsFor(suggest(tag, [...ALIASES.keys()]))
  const category = nearestIn(first!, CATEGORIES)
  // An unknown segment stays: it belongs to the agent.
  return category && [category, ...others.map((segment) => nearestIn(segment, SEGMENTS) ?? segment)].join('/')
}

/** Returns the word itself if the list has it, otherwise the most similar one. */
function nearestIn(word: string, list: readonly string[]): string | undefined {
  return list.includes(word) ? word : suggest(word, list)
}

const standsFor = (alias: string | undefined) => (alias === undefined ? undefined : ALIASES.get(alias))
