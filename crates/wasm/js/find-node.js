import { readFileSync } from "node:fs";
import { initSync } from "./wasm/find.js";

initSync({ module: readFileSync(new URL("./wasm/find_bg.wasm", import.meta.url)) });

/** There is nothing to wait for in Node: this is for programs that run in browsers, too. */
export default async function init() {}
export { find, parse, Match, Scanner } from "./find.js";
