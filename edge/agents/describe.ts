import { formatMediaType } from 'blazon/adl'
import type { PublishedDefinition } from '../contracts/documents.ts'

/** Longer descriptions are left out of the entry. */
const LONGEST_DESCRIPTION = 256

/** The stored facts about a valid document: its entry in a discovery document (ADL 6.4), and its type (17.1). */
export function describe(document: unknown): Pick<PublishedDefinition, 'entry' | 'type'> {
  const { id, name, version, description, lifecycle, profiles } = document as {
    readonly id?: string
    readonly name: string
    readonly version: string
    readonly description: string
    readonly lifecycle?: { readonly status: string }
    readonly profiles?: readonly string[]
  }
  const entry = {
    ...(id !== undefined && { id }),
    name,
    version,
    description: shorten(description),
    ...(lifecycle !== undefined && { status: lifecycle.status }),
  }
  return { entry: JSON.stringify(entry), type: formatMediaType(profiles ?? []) }
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * LONGEST_DESCRIPTION)]
  if (characters.length <= LONGEST_DESCRIPTION && text.length <= 2 * LONGEST_DESCRIPTION) return text
  return `${characters.slice(0, LONGEST_DESCRIPTION - 1).join('')}…`
}
