// Hosts differ only in how they obtain the module: package.json maps `#wasm` to module.workerd.js (a static .wasm
// import) or module.inline.js (the bytes baked in). scripts/build.mjs writes both.
declare const module: WebAssembly.Module
export default module
