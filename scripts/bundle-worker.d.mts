/** Miniflare's description of a Worker's modules. The first one is the main module. */
export interface Bundle {
  modulesRoot: string
  modules: (
    | { type: 'ESModule'; path: string; contents: string }
    | { type: 'CompiledWasm'; path: string; contents: Buffer<ArrayBuffer> }
  )[]
}
export function bundleWorker(entry: string): Promise<Bundle>
export function builtWorker(root?: string): Bundle
