// The core of the built command line, in place of `#wasm`: reading the file takes a third of what unpacking text takes.
import { fs } from './fs.ts'

export default new WebAssembly.Module(fs.readFileSync(new URL('../wasm/core.wasm', import.meta.url)))
