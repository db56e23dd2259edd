// Compares `find` with linkify-it and linkifyjs: speed and number of URLs found in the first MiB of
// a file (repeated if it is shorter). With linkify-it, also the number found in the text cases.
// Usage: node tests/rate.mjs FILE

import { readFileSync } from "node:fs";
import LinkifyIt from "linkify-it";
import { find as findLinks } from "linkifyjs";
import { cases, compared, expected } from "./cases.mjs";
import { find, Scanner } from "../pkg/find-node.js";

const file = readFileSync(process.argv[2], "utf8");
const text = file.repeat(Math.ceil((1 << 20) / file.length)).slice(0, 1 << 20);
const linkify = new LinkifyIt({}, { fuzzyLink: false, fuzzyEmail: false });
const scanner = new Scanner();
const ways = {
  urlsift: () => scanner.find(text),
  "linkify-it": () => linkify.match(text) ?? [],
  linkifyjs: () => findLinks(text, "url"),
};
const versionOf = (name) => JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8")).version;
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
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
  const version = name === "urlsift" ? "" : ` ${versionOf(name)}`;
  console.log(`${name}${version}: ${found[name]} found, ${ms.toFixed(1)} ms, ${(text.length / 1e3 / ms).toFixed(1)} MB/s`);
}
for (const name of Object.keys(ways).slice(1)) {
  console.log(`${(median(times[name]) / median(times.urlsift)).toFixed(1)} x of ${name}`);
}

/** The settings of a case as options: URLs of any scheme, valid or not. */
const options = ({ profile, rejoin, schemeless, locators }) => {
  const form = [schemeless && "+schemeless", locators && "+locator"].filter(Boolean);
  return { profile, rejoin, form, malformed: "include" };
};
const ways_to_find = {
  urlsift: (text, settings) => find(text, options(settings)),
  "linkify-it": (text) => (linkify.match(text) ?? []).map(({ raw, index, lastIndex }) => ({ url: raw, start: index, end: lastIndex })),
};
const cells = (...values) => console.log(`| ${values.join(" | ")} |`);
cells("cases", "URLs", "urlsift", "others", "linkify-it", "others", "of schemes it knows");
cells(...Array(7).fill("---"));
const total = Array(8).fill(0);
const line = (name, [count, ...row]) => cells(`${name} (${count})`, ...row.slice(0, 5), `${row[5]} of ${row[6]}`);
for (const file of cases()) {
  const [ours, theirs] = Object.values(ways_to_find).map((way) => compared(file, way));
  const { all, known } = expected(file);
  const row = [file.cases.length, all, ours.all, ours.others, theirs.all, theirs.others, theirs.known, known];
  row.forEach((count, i) => (total[i] += count));
  line(file.name, row);
}
line("all", total);
