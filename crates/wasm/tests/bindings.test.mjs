// find returns the same matches as in the other languages: see corpus/bindings.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { find } from "../pkg/find-node.js";
import { corpus } from "./support.mjs";

const cases = JSON.parse(readFileSync(join(corpus, "bindings", "find.json"), "utf8"));
const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

test("matches are those of other languages", () => {
  let count = 0;
  for (const { why, text, options = {}, matches } of cases) {
    count++;
    const given = Object.fromEntries(Object.entries(options).map(([name, value]) => [camelCase(name), value === "true" ? true : value]));
    // The module has no Public Suffix List.
    if (options.form === "+host") {
      assert.throws(() => find(text, given), /Public Suffix List/, why);
      continue;
    }
    const found = find(text, given).map(({ url, start, end, form, valid, normalized, href, scheme, host }) => (
      { url, utf16: [start, end], form, valid, normalized, href, scheme, host }));
    assert.deepEqual(found, matches.map(({ bytes, characters, ...expected }) => expected), why);
  }
  assert.ok(count >= 36);
});
