declare module 'blazon/core.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module 'blazon/core-baseline.wasm' {
  const module: WebAssembly.Module
  export default module
}
