// Maps tags of Agent Cards to skills of OASF 1.1.1, and back.
import { OASF_SKILLS } from '../../tables/oasf.ts'

/** A skill of OASF. */
export interface Skill {
  readonly id: number
  /** Its full path. */
  readonly name: string
}

/**
 * Tags of the draft (table 6) and of ClawNet with another name in the taxonomy. Others equal the end of a skill's path.
 */
const TAGS: Readonly<Record<string, string>> = {
  nlp: 'language_processing',
  'nlp/translation': 'language_processing/language_translation/translation',
  'nlp/text-analysis': 'language_processing/language_understanding',
  'nlp/generation': 'language_processing/language_generation',
  'nlp/generation/summarization': 'language_processing/language_generation/summarization',
  vision: 'computer_vision',
  'vision/ocr': 'computer_vision/image_analysis/optical_character_recognition',
  audio: 'audio_speech_processing',
  'audio/speech-to-text': 'audio_speech_processing/speech_processing/speech_recognition',
  'audio/music-generation': 'audio_speech_processing/audio_generation',
  analytical: 'reasoning_planning',
  'analytical/data-analysis': 'data_engineering_analytics/data_analytics',
  coding: 'software_engineering',
  'coding/debugging': 'software_engineering/code_debugging',
  retrieval: 'research_knowledge_productivity',
  'retrieval/web-search': 'research_knowledge_productivity/web_search',
  'retrieval/knowledge-base': 'research_knowledge_productivity/knowledge_management/knowledge_base_management',
  creative: 'content_writing_marketing',
  'creative/writing': 'content_writing_marketing/content_writing',
  ops: 'devops_cloud_infra',
  'ops/deployment': 'devops_cloud_infra/deployment_release',
  'ops/monitoring': 'devops_cloud_infra/observability/monitoring_alerting',
  'ops/security': 'cybersecurity',
  debugging: 'software_engineering/code_debugging',
  testing: 'software_engineering/software_testing',
  devops: 'devops_cloud_infra',
  frontend: 'software_engineering/web_development/frontend_development',
  backend: 'software_engineering/web_development/backend_development',
  fullstack: 'software_engineering/web_development/fullstack_development',
  database: 'data_engineering_analytics/databases',
  'machine-learning': 'ai_ml_engineering',
  'deep-learning': 'ai_ml_engineering/model_training/deep_learning_training',
  'data-science': 'data_engineering_analytics',
  'data-analysis': 'data_engineering_analytics/data_analytics',
  llm: 'ai_ml_engineering/llm_capabilities',
  'fine-tuning': 'ai_ml_engineering/model_training/model_fine_tuning',
  rag: 'ai_ml_engineering/retrieval_augmented_generation',
  writing: 'content_writing_marketing/content_writing',
  documentation: 'software_engineering/code_documentation',
  editing: 'content_writing_marketing/content_editing',
  'data-collection': 'data_engineering_analytics/web_data_acquisition',
  deployment: 'devops_cloud_infra/deployment_release',
  monitoring: 'devops_cloud_infra/observability/monitoring_alerting',
  security: 'cybersecurity',
  cloud: 'devops_cloud_infra/cloud_platform_operations',
  networking: 'devops_cloud_infra/cloud_networking',
  ...Object.fromEntries(
    'python javascript typescript go rust java c cpp ruby swift kotlin php shell'
      .split(' ')
      .map((language) => [language, 'software_engineering']),
  ),
}

/** The longest tag to look up, more than twice as long as any path of the taxonomy. */
const LONGEST_TAG = 255

interface Taxonomy {
  readonly ids: ReadonlyMap<string, number>
  readonly names: ReadonlyMap<number, string>
  /** Skills by the last part of their path. */
  readonly last: ReadonlyMap<string, string>
}

let taxonomy: Taxonomy | undefined

function read(): Taxonomy {
  const ids = new Map<string, number>()
  for (const line of OASF_SKILLS.trim().split('\n')) {
    const [id, path, ...below] = line.split(' ')
    for (const entry of below) {
      const [name, number] = entry.split('.')
      ids.set(path === '-' ? name! : `${path}/${name}`, Number(id) * 100 + Number(number))
    }
  }
  const last = new Map(Array.from(ids.keys(), (name) => [name.slice(name.lastIndexOf('/') + 1), name]))
  return { ids, names: new Map(Array.from(ids, ([name, id]) => [id, name])), last }
}

/** The skill for a tag: itself, or the nearest above it; undefined if the taxonomy has no such skill. */
export function skillOf(tag: string): (Skill & { readonly exact: boolean }) | undefined {
  if (tag.length > LONGEST_TAG) return undefined
  taxonomy ??= read()
  const { ids, last } = taxonomy
  for (
    let part = tag, exact = true;
    part !== '';
    part = part.slice(0, Math.max(0, part.lastIndexOf('/'))), exact = false
  ) {
    const path = part.replaceAll('-', '_')
    const own = Object.hasOwn(TAGS, part) ? TAGS[part]! : undefined
    const name = own ?? (ids.has(path) ? path : last.get(path.slice(path.lastIndexOf('/') + 1)))
    if (name !== undefined) return { name, id: ids.get(name)!, exact }
  }
  return undefined
}

/** The tag for a skill: that of the draft, or the path with hyphens. Ids are those of OASF 1.1. */
export function tagOf({
  name,
  id,
}: {
  readonly name: string | undefined
  readonly id: number | undefined
}): string | undefined {
  taxonomy ??= read()
  const path = name ?? (id === undefined ? undefined : taxonomy.names.get(id))
  if (path === undefined) return undefined
  const [known] = Object.entries(TAGS).find(([, skill]) => skill === path) ?? []
  return known ?? path.replaceAll('_', '-')
}
