// The core of the built command line, in place of `#wasm`: reading the file takes a third of what unpacking text takes.
const { readFileSync } = process.getBuiltinModule('node:fs')

export default new WebAssembly.Module(readFileSync(new URL('../wasm/core.wasm', import.meta.url)))
