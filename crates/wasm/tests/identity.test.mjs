// The modules return the same fields as the command, for the texts of corpus/.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { extname } from "node:path";
import { test } from "node:test";
import { find, parse } from "../pkg/find-node.js";
import { lint } from "../pkg/lint-node.js";
import { corpus, textsBelow, unitsOf } from "./support.mjs";

const command = process.env.URLSIFT;
const skip = command ? false : "URLSIFT does not name the command";
const texts = textsBelow(corpus);

/** Returns the records that the command prints. It exits with 1 if a text contains a fault. */
function records(options, input = "") {
  try {
    return lines(execFileSync(command, options, { input, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "ignore"] }));
  } catch (error) {
    if (error.status !== 1) throw error;
    return lines(error.stdout);
  }
}

const lines = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

const rows = [
  {},
  { profile: "rfc1738", rejoin: "certain", malformed: "include" },
  { profile: "rfc3986", rejoin: "off", form: "+schemeless,locator" },
  { profile: "cern1994", malformed: "only" },
  { maskPasswords: true, scheme: ["ftp", "mailto"] },
];

const flags = (options) =>
  Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : [value].flat().flatMap((one) => [flag, one]);
  });

test("find is scan", { skip }, () => {
  let compared = 0;
  for (const [path, text] of texts) {
    const unit = unitsOf(text);
    for (const options of rows) {
      const expected = records(["scan", "--format=jsonl", "--input=text", ...flags(options), path])
        .filter((record) => record.type === "url")
        .map(({ url, start, end, form, valid, normalized = url }) => ({ url, start: unit(start), end: unit(end), form, valid, normalized }));
      const found = find(text, options)
        .map(({ url, start, end, form, valid, normalized }) => ({ url, start, end, form, valid, normalized }));
      assert.deepEqual(found, expected, `${path} ${JSON.stringify(options)}`);
      compared += found.length;
    }
  }
  assert.ok(compared > 1000);
});

test("parse is parse", { skip }, () => {
  const urls = [...new Set(texts.flatMap(([, text]) => find(text, { malformed: "include" }).map((match) => match.url)))];
  assert.ok(urls.length > 500);
  for (const profile of ["web", "rfc1738", "rfc3986"]) {
    const input = urls.filter((url) => !/[\r\n]/.test(url));
    const told = records(["parse", "--format=jsonl", "--profile", profile, "-"], input.join("\n") + "\n");
    assert.equal(told.length, input.length);
    told.forEach(({ type, ...expected }, i) => {
      const unit = unitsOf(input[i]);
      for (const report of [...expected.violations, ...expected.findings]) {
        report.start = unit(report.start);
        report.end = unit(report.end);
      }
      const { normalized, ...parsed } = parse(input[i], { profile });
      assert.deepEqual(parsed, expected);
    });
  }
});

const dialects = { ".md": "markdown", ".html": "html" };

test("lint is lint", { skip }, () => {
  let compared = 0;
  for (const [path, text] of texts) {
    const dialect = dialects[extname(path)];
    const unit = unitsOf(text);
    const expected = records(["lint", "--format=jsonl", "--no-config", `--input=${dialect ?? "text"}`, path])
      .filter((record) => record.type === "diagnostic")
      .map(({ type, path, ...record }) => {
        const lineStart = unit(record.start - record.column + 1);
        for (const range of [record, ...(record.fix?.edits ?? [])]) {
          range.start = unit(range.start);
          range.end = unit(range.end);
        }
        return { ...record, column: record.start - lineStart + 1 };
      });
    const found = lint(text, dialect ? { dialect } : {});
    assert.deepEqual(found, expected, path);
    compared += found.length;
  }
  assert.ok(compared > 20);
});
