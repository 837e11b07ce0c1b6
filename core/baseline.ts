// The exports of the build without SIMD: those of abi.ts, and one for programs that have no card reader of their own.

export * from "./abi";
export { indexAddCard } from "./rank/card";
