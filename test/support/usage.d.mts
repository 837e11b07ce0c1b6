export function usageOf(runtime: { readonly pid: number }): { readonly memory: number; readonly cpu: number }
