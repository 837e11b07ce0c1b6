interface Manifest {
  readonly homepage?: string
  readonly repository?: object
  readonly bugs?: object
}
export declare function manifest(env?: Readonly<Record<string, string | undefined>>): Manifest
export declare function pack(destination: string): Promise<string>
export declare function packageProblems(folder: string): string[]
export declare function withoutFarLinks(page: string, folder: string): string
