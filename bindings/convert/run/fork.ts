// Where two copies of one run part. They must agree on everything that both show.
import { isHidden } from '../../runs/subject.ts'
import { isObject, type JsonObject, member, valueAt } from '../../text/members.ts'
import { equal } from '../json.ts'

const OF_RUN = ['/status', '/final_output/content', '/error', '/cancellation', '/agent/agent_id', '/tenant_id']
const OF_STEP = [
  '/action/type',
  '/action/name',
  '/action/input',
  '/parent_step_index',
  ...['type', 'output', 'error'].map((name) => `/observation/${name}`),
]

/** The differences between two copies, in words. Values that one of them hides or leaves out are not compared. */
export function forkOf(ours: JsonObject, theirs: JsonObject): readonly string[] {
  const [own, other] = [stepsOf(ours), stepsOf(theirs)]
  const steps = [...new Set([...own.keys(), ...other.keys()])].flatMap((index) => {
    const [a, b] = [own.get(index), other.get(index)]
    if (a === undefined) return [`step ${index} is not in the record`]
    if (b === undefined) return [`step ${index} is only in the record`]
    return partsOf(OF_STEP, a, b).map((pointer) => `/steps/${index}${pointer}`)
  })
  return [...partsOf(OF_RUN, ours, theirs), ...steps]
}

function stepsOf({ steps }: JsonObject): ReadonlyMap<string, JsonObject> {
  const list = Array.isArray(steps) ? steps.filter(isObject) : []
  return new Map(list.map((step) => [String(step['index']), step]))
}

const partsOf = (pointers: readonly string[], a: JsonObject, b: JsonObject) =>
  pointers.filter((pointer) => {
    const [left, right] = [valueAt(a, pointer) ?? undefined, valueAt(b, pointer) ?? undefined]
    return left !== undefined && right !== undefined && !agree(left, right)
  })

/** True for equal values, apart from parts that one side hides. */
function agree(a: unknown, b: unknown): boolean {
  if (a !== undefined && b !== undefined && (isHidden(a) || isHidden(b))) return true
  if (!isObject(a) || !isObject(b)) return equal(a, b)
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Array.from(names).every((name) => agree(member(a, name), member(b, name)))
}
