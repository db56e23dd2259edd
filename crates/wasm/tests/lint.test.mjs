import assert from "node:assert/strict";
import { test } from "node:test";
import { Linter, fix, lint } from "../pkg/lint-node.js";

test("positions are those of slice, columns too", () => {
  const text = "é\n🙂🙂 [it](http//host.dom/) é\n";
  const [found] = lint(text, { dialect: "markdown" });
  assert.equal(found.code, "scheme.no-colon");
  assert.equal(found.line, 2);
  assert.equal(found.column, found.start - text.indexOf("🙂") + 1);
  const [edit] = found.fix.edits;
  const mended = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  assert.equal(mended, text.replace("http//", "http://"));
  assert.equal(fix(text, { dialect: "markdown", unsafe: true }), mended);
});

test("options", () => {
  const text = "<http://h.dom/~joe>";
  assert.deepEqual(lint(text), []);
  assert.deepEqual(lint(text, { profile: "rfc1738" }).map((found) => found.code), ["char.unsafe"]);
  assert.deepEqual(new Linter({ profile: "rfc1738", ignore: ["char."] }).lint(text), []);
  const token = "http://joe:sesame@host.dom:80/?token=8fd1a6c03b7e4d25";
  assert.match(JSON.stringify(lint(token)), /8fd1/);
  assert.doesNotMatch(JSON.stringify(lint(token, { maskSecrets: true })), /8fd1|sesame/);
  assert.throws(() => lint(text, { dialect: "troff" }), /dialect.*troff/);
  assert.throws(() => lint(text, { select: ["no.such"] }), /select.*no\.such/);
});
