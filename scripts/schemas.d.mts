export const SCHEMAS: Readonly<Record<string, string>>
export function copySchemas(): Promise<void>
