// How an object forgets its agent: it ends with the call that has it do so, for whatever is under way in it is of an agent that is no more.
import { type Env, gatewayStub } from '../env.ts'

/** The message of the error with which it ends when nothing is left. */
export const FORGOTTEN = 'everything of the agent is forgotten'

/** Has the conversations, messages and tasks of an agent forgotten. */
export async function forgetConversations(env: Env, name: string): Promise<void> {
  try {
    await gatewayStub(env, name).forget()
  } catch (error) {
    if (!String(error).includes(FORGOTTEN)) throw error
  }
}
