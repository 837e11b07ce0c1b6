import { escapeToken } from './pointer.ts'
import { secretIn } from './secret-shapes.ts'

/** The hint for a credential in a document. */
export const REVOKE_SECRET = {
  hint: 'name an environment variable or a secret manager in its place, and revoke it if it is one',
}

interface Path {
  readonly parent: Path | undefined
  readonly token: string | number
}

/** Reports every string in a value that looks like a credential. Builds pointers only for those. */
export function searchSecrets(value: unknown, tell: (pointer: string, what: string) => void, path?: Path): void {
  if (typeof value === 'string') {
    const what = secretIn(value)
    if (what !== undefined) tell(pointerOf(path), what)
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) searchSecrets(value[i], tell, { parent: path, token: i })
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      searchSecrets((value as Record<string, unknown>)[name], tell, { parent: path, token: name })
    }
  }
}

function pointerOf(path: Path | undefined): string {
  return path === undefined ? '' : `${pointerOf(path.parent)}/${escapeToken(String(path.token))}`
}
