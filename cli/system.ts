import { UsageError } from './usage.ts'

/** Words for the system's errors that people meet. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'its symbolic links lead in circles',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  ELINK: 'it is a link; name its target',
  EINPUT: 'this run also reads it',
  ETWICE: 'this run already wrote another file there',
  ENOTREG: 'it is not a regular file; use - to read a pipe',
}

/** The system's code for an error; undefined for other errors. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Says why a file cannot be read. Throws errors that are not the system's. */
export function whyUnread(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) throw error
  // The system's own message names internal files and flags.
  return REASONS[code] ?? `the system refuses it (${code})`
}

/** Says why a file cannot be written: ENOENT means that its folder is missing. */
export function whyUnwritten(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'the folder does not exist' : whyUnread(error)
}

/** The usage error for a file that cannot be written. */
export function unwritable(path: string, error: unknown): UsageError {
  const message = `${path} cannot be written: ${whyUnwritten(error)}`
  if (codeOf(error) === 'ENOENT') return new UsageError('no-folder', message, 'create the folder first')
  return new UsageError('unwritable', message, 'name another file')
}
