export const agents: readonly {
  readonly id: string
  readonly description: string
  readonly skills: readonly string[]
}[]
export function ndcg(find: (query: string) => readonly string[] | Promise<readonly string[]>): Promise<number>
