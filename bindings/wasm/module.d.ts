// Platforms differ only in how they load the module: package.json maps `#wasm` to module.workerd.js (a static .wasm
// import) or module.inline.js (embedded bytes). scripts/build.mjs writes both.
/** The module, compiled at the first call. */
export default function module(): WebAssembly.Module
