/** Where text goes. */
interface Output {
  write(chunk: string | Uint8Array): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Where bytes come from. */
interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean | undefined
}

/** Everything that the command line touches. */
export interface Host {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Opens a file; what iterating throws has the `code` of the system (ENOENT ...). */
  open(path: string): AsyncIterable<Uint8Array>
  /** Milliseconds from anywhere. */
  now(): number
}
