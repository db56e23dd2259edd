export { default } from "./wasm/find.js";
export { find, parse, Match, Scanner } from "./find.js";
