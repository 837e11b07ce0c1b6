// The review of an agent's prompts, by a function of the caller: a model, a program, a person.
import { isText, member, objectOf } from '../text/members.ts'
import { cut } from '../text/words.ts'
import type { AgentFolder } from './folder.ts'
import { compile } from './prompt/compile.ts'
import type { Agent } from './subject.ts'

export interface ReviewRequest {
  readonly name: string
  readonly description?: string
  /** The prompts of the agent and its sub-agents, compiled to Markdown. */
  readonly prompts: readonly { readonly file: string; readonly role: string; readonly text: string }[]
}

export interface Review {
  /** From 0 to 1. */
  readonly score: number
  /** At most 50, each with at most 500 UTF-16 units. */
  readonly notes: readonly string[]
}

/** Answers `{ score, notes }`. Every other answer, and a rejection, fails the build. */
export type Reviewer = (request: ReviewRequest) => Promise<unknown>

const [MOST_NOTES, LONGEST_NOTE] = [50, 500]

function requestFor(agent: Agent, { prompts }: AgentFolder): ReviewRequest {
  const description = member(agent.root.value, 'description')
  const texts = prompts.flatMap(({ path, subject }) => {
    if (subject === undefined) return []
    const { role, text } = compile(subject, {})
    return [{ file: path, role, text }]
  })
  return { name: agent.name!, ...(isText(description) && { description }), prompts: texts }
}

/** Asks a reviewer if there are prompts; a text is the reason why there is no review. */
export async function reviewOf(
  agent: Agent,
  folder: AgentFolder,
  reviewer: Reviewer,
): Promise<Review | string | undefined> {
  const request = requestFor(agent, folder)
  if (request.prompts.length === 0) return undefined
  try {
    const answer = objectOf(await reviewer(request))
    const [score, notes] = [member(answer, 'score'), member(answer, 'notes') ?? []]
    if (typeof score !== 'number' || !(score >= 0 && score <= 1)) return 'the answer has no score from 0 to 1'
    if (!Array.isArray(notes) || !notes.every(isText)) return 'the notes of the answer are not a list of texts'
    return { score, notes: notes.slice(0, MOST_NOTES).map((note) => cut(note, LONGEST_NOTE)) }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
