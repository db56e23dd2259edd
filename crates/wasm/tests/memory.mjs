// Calls each function many times, and fails if memory grows after a warm-up of half as many calls. Run it with
// `node --expose-gc tests/memory.mjs [CALLS]`.

import { Scanner, find, parse } from "../pkg/find-node.js";
import { Linter, fix, lint } from "../pkg/lint-node.js";

/** The maximum growth of the resident memory, in bytes. */
const MAX_GROWTH = 5_000_000;
const calls = Number(process.argv[2] ?? 1_000_000);
const text = "See <URL:http://host.dom/a> and http://Host.dom/%7eb.";

const functions = {
  find: () => find(text),
  "find with options": () => find(text, { profile: "rfc3986" }),
  Match: () => {
    const [, match] = find(text);
    return [match.normalized, match.href, match.scheme, match.host];
  },
  "find with many options": (i) => find(text, { scheme: `s${i % 100}` }),
  Scanner: () => new Scanner().free(),
  parse: () => parse("http://host.dom/%7ea"),
  lint: () => lint(text, { dialect: "markdown" }),
  fix: () => fix(text),
  Linter: () => new Linter().free(),
};

const resident = () => {
  gc();
  return process.memoryUsage.rss();
};

for (const [name, call] of Object.entries(functions)) {
  for (let i = 0; i < calls / 2; i++) call(i);
  const before = resident();
  const start = performance.now();
  for (let i = 0; i < calls; i++) call(i);
  const grown = resident() - before;
  console.log(`${name}: ${calls} calls, ${(performance.now() - start).toFixed()} ms, ${grown} bytes more`);
  if (grown > MAX_GROWTH) process.exitCode = 1;
}
