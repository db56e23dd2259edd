// How fast `find` is beside linkify-it, and what each finds, in the first MiB of a file, which is repeated if it is shorter: node tests/rate.mjs FILE

import { readFileSync } from "node:fs";
import LinkifyIt from "linkify-it";
import { find, Scanner } from "../pkg/find-node.js";

const file = readFileSync(process.argv[2], "utf8");
const text = file.repeat(Math.ceil((1 << 20) / file.length)).slice(0, 1 << 20);
const linkify = new LinkifyIt({}, { fuzzyLink: false, fuzzyEmail: false });
const scanner = new Scanner();
const ways = {
  urlsift: () => scanner.find(text),
  "linkify-it": () => linkify.match(text) ?? [],
};
const times = { urlsift: [], "linkify-it": [] };
let found = {};
for (let round = 0; round < 7; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const start = process.hrtime.bigint();
    found[name] = way().length;
    times[name].push(Number(process.hrtime.bigint() - start) / 1e6);
  }
}
const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];
for (const name of Object.keys(ways)) {
  const ms = median(times[name]);
  console.log(`${name}: ${found[name]} found, ${ms.toFixed(1)} ms, ${(text.length / 1e3 / ms).toFixed(1)} MB/s`);
}
console.log(`${(median(times["linkify-it"]) / median(times.urlsift)).toFixed(1)} x`);
