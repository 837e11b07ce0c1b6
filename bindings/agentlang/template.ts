// The starter folder of `blazon init`: an agent and its prompt.
import { descriptionOf, TASK, YOUR_DEVELOPER } from '../frame/placeholders.ts'
import { slug } from '../text/words.ts'

const LONGEST_NAME = 64

interface About {
  readonly description?: string | undefined
  readonly developer?: string | undefined
}

/** Returns the files of an agent for its author to complete. Without further tools it runs on every host. */
export function newAgentFolder(
  name: string,
  { description = descriptionOf(name), developer = YOUR_DEVELOPER }: About = {},
): Readonly<Record<'agent.yaml' | 'prompt.yaml', object>> {
  return {
    'agent.yaml': {
      name: slug(name, 'agent').slice(0, LONGEST_NAME).replace(/-$/, ''),
      version: '0.1.0',
      title: name,
      description,
      developer,
      tools: [{ name: 'artifacts' }],
    },
    'prompt.yaml': {
      version: 2,
      role: 'system',
      sections: [
        { name: 'task', content: `${TASK}\n` },
        { name: 'your_tools', content: 'artifacts - Save reports and findings for the user.\n' },
      ],
    },
  }
}
