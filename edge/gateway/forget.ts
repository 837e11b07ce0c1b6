// Erases an agent's object. The object aborts itself in that call, because any work still running belongs to the agent
// that is gone.
import { type Env, gatewayStub } from '../env.ts'

/** The message of the error with which the object ends once everything is erased. */
export const FORGOTTEN = 'the data of the agent was erased'

/** Erases the conversations, messages and tasks of an agent. */
export async function forgetConversations(env: Env, name: string): Promise<void> {
  try {
    await gatewayStub(env, name).forget()
  } catch (error) {
    if (!String(error).includes(FORGOTTEN)) throw error
  }
}
