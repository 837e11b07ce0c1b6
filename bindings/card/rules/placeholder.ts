import { placeholderRule } from '../../frame/placeholders.ts'
import type { Card } from '../card.ts'

export const placeholder = placeholderRule<Card>(
  {
    code: 'CARD-149',
    section: 'Agent Card 3.1',
    why: 'Directories would rank the agent by words that say nothing of it.',
    bad: '{"skills": ["your-skill"]}',
    good: '{"skills": ["nlp/translation"]}',
  },
  [
    [['description'], 'what the agent does, in the words that people search for'],
    [['skills', '*'], 'a tag that the agent is found by: blazon tags list has the standard ones'],
    [['tools', '*', 'description'], 'what the tool does'],
  ],
)
