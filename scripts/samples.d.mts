export function publishSamples(where: { readonly origin: string; readonly token: string }): Promise<number>
