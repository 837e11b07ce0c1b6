export const HOST: string
export const PORT_TAKEN: number
export function isFree(port: number): Promise<boolean>
