import { UsageError } from './usage.ts'

/** Words for the errors of the system that people meet. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'nothing can be written there',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is no directory',
  ELOOP: 'its symbolic links lead in circles',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'there is no room left',
  ELINK: 'it is a link; name the file that it leads to',
  EINPUT: 'it is read in this run',
  ETWICE: 'something else is written there in this run',
  ENOTREG: 'it is no regular file; what comes through a pipe is read as -',
}

/** What the system calls an error; undefined for one that is not the system's. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Why a file cannot be read. Errors that are not the system's are thrown on. */
export function whyUnread(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) throw error
  // What the system says in its own words names files that nobody knows, and flags.
  return REASONS[code] ?? `the system refuses it (${code})`
}

/** Why a file cannot be written: only its folder has to be there. */
export function whyUnwritten(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'there is no such folder' : whyUnread(error)
}

/** The usage error for what cannot be written. */
export function unwritable(path: string, error: unknown): UsageError {
  const message = `${path} cannot be written: ${whyUnwritten(error)}`
  if (codeOf(error) === 'ENOENT') return new UsageError('no-folder', message, 'make the folder first')
  return new UsageError('unwritable', message, 'name another file')
}
