import { isObject, isText, type JsonObject, member } from '../../text/members.ts'

/** True for the answer of `GET /runs/{id}/consistency`: a proof that a stream grew. */
export const isGrowth = (value: unknown): value is JsonObject =>
  isObject(value) && Array.isArray(member(value, 'proof')) && isText(member(value, 'checkpoint'))
