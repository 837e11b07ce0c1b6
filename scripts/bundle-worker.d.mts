/** What Miniflare is told of a Worker's modules, the first being the main one. */
export interface Bundle {
  modulesRoot: string
  modules: (
    | { type: 'ESModule'; path: string; contents: string }
    | { type: 'CompiledWasm'; path: string; contents: Buffer<ArrayBuffer> }
  )[]
}
export function bundleWorker(entry: string): Promise<Bundle>
