/** A category of table 6 of the Agent Card draft: a recommended first segment of tags. */
export interface TagCategory {
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
}

/** The recommended first segments (Agent Card section 3.6.1, table 6), in the order of the table. */
export const TAG_CATEGORIES: readonly TagCategory[] = [
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
