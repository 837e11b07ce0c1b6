// The routes of the Worker. Long runs without vitest cannot import them.
/** A row of edge/routes.ts. The types of edge/ need those of the platform, which tests do not have. */
interface Route {
  readonly path: string
  readonly methods: Readonly<
    Record<
      string,
      {
        readonly access?: { readonly scope: string; readonly optional?: true }
        readonly limit?: string
        readonly query?: Readonly<Record<string, 'once' | 'often'>>
        readonly body?: { readonly types: readonly string[]; readonly bytes: number }
      }
    >
  >
  readonly ofAgents?: true
}

const path = '../../edge/routes.ts'
export const { ROUTES }: { readonly ROUTES: readonly Route[] } = await import(path)
