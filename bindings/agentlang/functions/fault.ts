/** A fault of a document that is found without running the agent. */
export interface FunctionFault {
  readonly rule: string
  readonly pointer: string
  readonly detail: string
}
