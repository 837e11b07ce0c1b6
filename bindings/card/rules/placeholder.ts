import { type PlaceholderPlace, reportPlaceholders } from '../../frame/placeholders.ts'
import type { Rule } from '../../frame/rule.ts'
import type { Card } from '../card.ts'

const PLACES: readonly PlaceholderPlace[] = [
  [['description'], 'what the agent does, in the words that people search for'],
  [['skills', '*'], 'a tag that the agent is found by: blazon tags list has the standard ones'],
  [['tools', '*', 'description'], 'what the tool does'],
]

export const placeholder: Rule<Card> = {
  id: 'placeholder',
  code: 'CARD-149',
  title: 'Text of the template',
  section: 'Agent Card 3.1',
  severity: 'warning',
  rulesets: { spec: 'off', strict: 'error' },
  why: 'Directories would rank the agent by words that say nothing of it.',
  bad: '{"skills": ["your-skill"]}',
  good: '{"skills": ["nlp/translation"]}',
  check({ root }, report) {
    reportPlaceholders(root.value, PLACES, report)
  },
}
