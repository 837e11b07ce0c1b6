// Hosts differ only in how they obtain the module: package.json maps `#wasm` to module.workerd.js (a static .wasm
// import) or module.inline.js (the bytes baked in). scripts/build.mjs writes both.
/** The module, made at the first call. */
export default function module(): WebAssembly.Module
