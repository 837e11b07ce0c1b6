// How the module is obtained is the one difference between hosts: package.json maps `#wasm` to
// module.workerd.js (a static .wasm import) or module.inline.js (the bytes baked in). scripts/build.mjs writes both.
declare const module: WebAssembly.Module
export default module
