// Other formats have no data classification, so readers of the result do not see it (ADL 10.4).
import { classificationOf, isSensitive } from '../adl/places.ts'
import { elements, isObject, textMember } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { CONVERT_CLASSIFICATION } from './findings.ts'
import type { Job } from './job.ts'

/**
 * Reports the parts that handle confidential or restricted data: the agent, and tools and resources that declare or
 * inherit it.
 */
export function tellClassified({ document, root, problems }: Job): void {
  const whose = new Map<string, { readonly level: string; readonly names: string[] }>()
  const look = (pointer: string, name: string) => {
    const found = classificationOf(document, pointer)
    const level = textMember(found, 'sensitivity')?.value
    if (found === undefined || !isSensitive(level)) return
    const known = whose.get(found.pointer)
    if (known === undefined) whose.set(found.pointer, { level, names: [name] })
    else known.names.push(name)
  }
  look('', 'the agent')
  for (const [list, kind] of LISTS) {
    for (const entry of elements(root, list, isObject)) {
      look(entry.pointer, `${kind} ${quoted(textMember(entry, 'name')?.value ?? '')}`)
    }
  }
  for (const [pointer, { level, names }] of whose) {
    const shown = names.length > MOST ? [...names.slice(0, MOST), `${names.length - MOST} more`] : names
    problems.report(
      CONVERT_CLASSIFICATION,
      pointer,
      `${level} data of ${shown.join(', ')}: readers of the result cannot see that`,
    )
  }
}

const LISTS = [
  ['tools', 'tool'],
  ['resources', 'resource'],
] as const
const MOST = 5
