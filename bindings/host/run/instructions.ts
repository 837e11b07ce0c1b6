import type { CrewTask } from '../../agentlang/functions/crew/plan.ts'
import { compile } from '../../agentlang/prompt/prompt.ts'
import { isText, member, objectOf } from '../../text/members.ts'
import type { CrewMember } from './crew.ts'
import type { RunMessage } from './model.ts'
import type { Session } from './session.ts'

/** The prompt and the skills of an agent. They are written nowhere: prompts may be encrypted. */
export function instructionsFor(
  { prompt, value, skills }: CrewMember,
  tasks: readonly CrewTask[],
  session: Session,
): readonly Pick<RunMessage, 'role' | 'content'>[] {
  const { target = 'markdown', variables: given = {}, clock = () => new Date() } = session.options
  const injected = member(objectOf(member(value, 'context')), 'inject')
  const isInjected = (name: string) =>
    Array.isArray(injected) && injected.includes(name) && (name !== 'location' || session.isGranted('location'))
  const known = Object.entries({ time: clock().toISOString(), ...given })
  const variables = Object.fromEntries(known.filter(([name]) => isInjected(name)))
  const compiled = prompt && compile(prompt, { target, variables })
  const description = member(value, 'description')
  const text = compiled?.text ?? (isText(description) ? description : '')
  const more = [
    ...skills.map(({ name, body }) => `## ${name}\n${body.trim()}`),
    ...tasks.map(
      ({ name, task, dependsOn }) => `Delegate to ${name}, after ${dependsOn.join(', ') || 'nothing'}: ${task}`,
    ),
  ]
  const role = compiled?.role === 'user' ? 'user' : 'system'
  const parts = [{ role, content: text } as const, { role: 'system', content: more.join('\n\n') } as const]
  return parts.filter(({ content }) => content !== '')
}
