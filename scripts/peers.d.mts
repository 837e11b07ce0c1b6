export const PEERS: Readonly<Record<string, string>>
// biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the module
export function peer(name: string, set?: 'bench' | 'dns' | 'sdk' | 'signers' | 'sockets'): Promise<any>
export function nodeOf(name: 'node-22' | 'node-24'): string
