import { readFileSync } from "node:fs";
import { initSync } from "./wasm/lint.js";

initSync({ module: readFileSync(new URL("./wasm/lint_bg.wasm", import.meta.url)) });

/** Does nothing: Node has loaded the module already. For programs that also run in browsers. */
export default async function init() {}
export { fix, lint, Linter } from "./lint.js";
