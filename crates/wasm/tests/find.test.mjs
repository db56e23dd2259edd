import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { corpus } from "./support.mjs";
import init, { Match, Scanner, find, parse } from "../pkg/find-node.js";

await init();

test("positions are those of slice", () => {
  for (const before of ["", "é ", "🙂 ", "日本 🙂🙂 é ", "\ud800 ", "a".repeat(1000) + "🙂 "]) {
    const text = `${before}http://host.dom/é🙂a and ftp://h.dom/b`;
    const [one, other] = find(text);
    assert.equal(text.slice(one.start, one.end), one.url);
    assert.equal(text.slice(other.start, other.end), "ftp://h.dom/b");
    assert.equal(one.start, before.length);
  }
});

test("a broken URL is whole, and its place covers the break", () => {
  const text = "🙂 <URL:http://host.dom/\n  a/b.html>.";
  const [match] = find(text);
  assert.ok(match instanceof Match);
  assert.equal(match.url, "http://host.dom/a/b.html");
  assert.equal(text.slice(match.start, match.end), "http://host.dom/\n  a/b.html");
  assert.equal(match.form, "wrapped");
  assert.equal(match.valid, true);
});

test("JSON contains the computed properties", () => {
  const [match] = find("at HTTP://Host.dom/%7ea");
  const expected = {
    url: "HTTP://Host.dom/%7ea",
    start: 3,
    end: 23,
    form: "bare",
    valid: true,
    normalized: "http://host.dom/~a",
    href: "HTTP://Host.dom/%7ea",
    scheme: "http",
    host: "Host.dom",
  };
  assert.deepEqual(JSON.parse(JSON.stringify([match])), [expected]);
  assert.deepEqual(structuredClone(match.toJSON()), expected);
  // A property that is added to the class must be added to its JSON, too.
  const getters = Object.entries(Object.getOwnPropertyDescriptors(Match.prototype)).filter(([, { get }]) => get);
  assert.deepEqual(Object.keys(match.toJSON()).sort(), [...Object.keys(match), ...getters.map(([name]) => name)].sort());
});

test("options", () => {
  const urls = (text, options) => find(text, options).map((match) => match.url);
  const text = "http://h.dom/~a ftp://u:secret@h.dom/ www.host.dom/b http://h..dom/";
  assert.deepEqual(urls(text), ["http://h.dom/~a", "ftp://u:secret@h.dom/"]);
  assert.deepEqual(urls(text, { profile: "rfc1738" }), ["ftp://u:secret@h.dom/"]);
  assert.deepEqual(urls(text, { scheme: ["http"] }), ["http://h.dom/~a"]);
  assert.deepEqual(urls(text, { form: ["schemeless"] }), ["www.host.dom/b"]);
  const names = "joe@host.dom or www.w3.org, not README.md";
  const found = (options) => find(names, options).map(({ url, form, normalized }) => [url, form, normalized]);
  assert.deepEqual(found({ form: "+email" }), [["joe@host.dom", "email", "joe@host.dom"]]);
  assert.deepEqual(found({ form: "bare,email" }), found({ form: ["bare", "email"] }));
  assert.deepEqual(urls(text, { malformed: "only" }), ["http://h..dom/"]);
  assert.deepEqual(urls(text, { maskPasswords: true })[1], "ftp://u:***@h.dom/");
  assert.deepEqual(urls(text, { profile: undefined }).length, 2);
  const scanner = new Scanner({ scheme: "made-up" });
  assert.deepEqual(scanner.find("a made-up:b c").map((match) => match.url), ["made-up:b"]);
  assert.deepEqual(scanner.find("none"), []);
});

test("every option that is accepted and declared has an effect", () => {
  const types = readFileSync(new URL("../pkg/find.d.ts", import.meta.url), "utf8");
  const declared = new Set(types.match(/interface FindOptions \{.*?^\}/ms)[0].match(/^  \w+(?=\?:)/gm).map((name) => name.trim()));
  const accepted = new Set();
  for (const { option, value, text } of JSON.parse(readFileSync(join(corpus, "options.json"), "utf8"))) {
    const name = option.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
    const told = (options) => find(text ?? "", options).map(({ url, form, valid }) => [url, form, valid]);
    try {
      assert.notDeepEqual(told({ [name]: value === "true" ? true : value }), told(), option);
      accepted.add(name);
    } catch (error) {
      if (!/no effect on plain text|Public Suffix List/.test(error.message)) throw error;
    }
  }
  assert.deepEqual(accepted, declared);
});

test("what is wrong is named", () => {
  assert.throws(() => find("", { profile: "rfc9" }), /profile.*rfc9/);
  assert.throws(() => find("", { rejion: "off" }), /rejion/);
  assert.throws(() => find("", { headers: "all" }), /headers.*no effect on plain text/);
  assert.throws(() => find("", { form: "relative" }), /relative.*no effect on plain text/);
  assert.throws(() => find("", { form: "+host" }), /host.*Public Suffix List/);
  assert.throws(() => find("", { scheme: ["1a"] }), /scheme.*1a/);
  assert.throws(() => find(7), { name: "TypeError", message: /text/ });
  assert.throws(() => parse("http:", { profile: "x" }), /profile/);
});

test("one URL in its parts", () => {
  const parsed = parse("http://h.dom:80/é🙂\u0001{", { reference: true });
  assert.equal(parsed.valid, false);
  const { start, end } = parsed.violations[0];
  assert.equal(parsed.input.slice(start, end), "\u0001");
  assert.equal(parsed.normalized, null);
  assert.equal(parse("HTTP://H.Dom").normalized, "http://h.dom/");
  assert.equal(parse("ftp://u:p@h/a", { maskPasswords: true }).components.password, "***");
  const token = "http://h.dom/?token=8fd1a6c03b7e4d25";
  assert.match(JSON.stringify(parse(token, { maskPasswords: true })), /8fd1/);
  assert.doesNotMatch(JSON.stringify(parse(token, { maskSecrets: true })), /8fd1/);
});

test("a match has the target, scheme and host of its link", () => {
  const of = (text, form) => find(text, { form }).map(({ href, scheme, host }) => [href, scheme, host]);
  assert.deepEqual(of("HTTP://Joe@Host.dom:80/a"), [["HTTP://Joe@Host.dom:80/a", "http", "Host.dom"]]);
  assert.deepEqual(of("mailto:joe@host.dom"), [["mailto:joe@host.dom", "mailto", null]]);
  assert.deepEqual(of("www.host.dom/a", "+schemeless"), [["http://www.host.dom/a", "http", "www.host.dom"]]);
  assert.deepEqual(of("FTP.host.dom", "+schemeless"), [["ftp://FTP.host.dom", "ftp", "FTP.host.dom"]]);
  assert.deepEqual(of("joe@host.dom", "+email"), [["mailto:joe@host.dom", "mailto", null]]);
  assert.deepEqual(of("at ftp.host.dom:/pub/a", "+locator"), [["ftp://ftp.host.dom/pub/a", "ftp", "ftp.host.dom"]]);
  const [malformed] = find("http://h..dom/", { malformed: "only" });
  assert.deepEqual([malformed.host, malformed.scheme], [null, "http"]);
});

test("a freed scanner says so, and its matches stay usable", () => {
  const scanner = new Scanner({ profile: "rfc3986" });
  const [match] = scanner.find("HTTP://Host.dom/%7ea");
  scanner.free();
  scanner.free();
  assert.equal(match.normalized, "http://host.dom/~a");
  assert.throws(() => scanner.find(""), /the scanner has been freed/);
  if (Symbol.dispose) assert.equal(scanner[Symbol.dispose], scanner.free);
});

test("scanners for more options than are kept give the right matches", () => {
  const text = Array.from({ length: 40 }, (_, i) => `s${i}x://host.dom/${i}`).join(" ");
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 40; i++) {
      assert.deepEqual(find(text, { scheme: `s${i}x` }).map(({ url }) => url), [`s${i}x://host.dom/${i}`]);
    }
  }
});
