/** The member of a step's metadata with the id of its tool call: the same in traces, sessions and hooks. */
export const CALL_ID = 'adp.call_id'
