import { readFileSync } from "node:fs";
import { initSync } from "./wasm/lint.js";

initSync({ module: readFileSync(new URL("./wasm/lint_bg.wasm", import.meta.url)) });

/** Does nothing, because Node has already loaded the module. Exists for programs that also run in browsers. */
export default async function init() {}
export { fix, lint, Linter } from "./lint.js";
