import { readFileSync } from "node:fs";
import { initSync } from "./wasm/lint.js";

initSync({ module: readFileSync(new URL("./wasm/lint_bg.wasm", import.meta.url)) });

/** There is nothing to wait for in Node: this is for programs that run in browsers, too. */
export default async function init() {}
export { fix, lint, Linter } from "./lint.js";
