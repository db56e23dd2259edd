import { readFileSync } from "node:fs";
import { initSync } from "./wasm/find.js";

initSync({ module: readFileSync(new URL("./wasm/find_bg.wasm", import.meta.url)) });

/** Does nothing, because Node has already loaded the module. Exists for programs that also run in browsers. */
export default async function init() {}
export { find, parse, Match, Scanner } from "./find.js";
