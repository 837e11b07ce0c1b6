export declare function pack(destination: string): Promise<string>
export declare function packageProblems(folder: string): string[]
export declare function withoutFarLinks(page: string, folder: string): string
