export { default } from "./wasm/lint.js";
export { fix, lint, Linter } from "./lint.js";
