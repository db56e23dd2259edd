// The programs of README.md print the output that it shows.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crate } from "./support.mjs";

for (const file of ["README.md", "../../README.md", "../../docs/src/guides/javascript.md"]) {
  const programs = [...readFileSync(join(crate, file), "utf8").matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);
  programs.forEach((program, i) => {
    test(`${file}, program ${i + 1}`, () => {
      const folder = mkdtempSync(join(tmpdir(), "urlsift-"));
      try {
        mkdirSync(join(folder, "node_modules"));
        symlinkSync(join(crate, "pkg"), join(folder, "node_modules", "urlsift"));
        for (const name of ["markdown-it", "react", "react-dom", "rehype"]) {
          symlinkSync(join(crate, "node_modules", name), join(folder, "node_modules", name));
        }
        writeFileSync(join(folder, "program.mjs"), program);
        const printed = execFileSync(process.execPath, ["program.mjs"], { cwd: folder, encoding: "utf8" });
        const expected = [...program.matchAll(/^\/\/ (.*)$/gm)].map((match) => match[1]);
        assert.deepEqual(printed.split("\n").slice(0, -1), expected);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}
