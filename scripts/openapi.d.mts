export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export function routeFolders(): string[]
export function openapiOf(folder: string): OpenApi
export function openapi(): OpenApi
