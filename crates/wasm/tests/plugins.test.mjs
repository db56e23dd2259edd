import assert from "node:assert/strict";
import { test } from "node:test";
import markdownIt from "markdown-it";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { rehype } from "rehype";
import urlsift from "../pkg/markdown-it.js";
import { Linkify } from "../pkg/react.js";
import rehypeUrlsift from "../pkg/rehype.js";

const link = (url, text = url) => `<a href="${url}">${text}</a>`;

const inMarkdown = (text, options) => markdownIt().use(urlsift, options).renderInline(text);

const inPage = (html, options) =>
  String(rehype().data("settings", { fragment: true }).use(rehypeUrlsift, options).processSync(html));

const inReact = (children, properties) => renderToStaticMarkup(createElement(Linkify, properties, children));

const a = "http://host.dom/a_(b)";

for (const [name, render] of Object.entries({ "markdown-it": inMarkdown, rehype: inPage, react: inReact })) {
  test(`${name}: a URL becomes a link, the punctuation after it doesn't`, () => {
    assert.equal(render(`See ${a}.`), `See ${link(a)}.`);
    assert.equal(render(`${a} ${a}`), `${link(a)} ${link(a)}`);
    assert.equal(render("no link: at 12:30, a::b"), "no link: at 12:30, a::b");
  });

  test(`${name}: a URL that is broken across lines is one link`, () => {
    const whole = "http://host.dom/archive/1994/minutes-of-the-meeting.html";
    const [before, after] = ["The minutes of that meeting can be found at", "if you look for them in the archive of that list."];
    assert.equal(
      render(`${before} http://host.dom/archive/1994/\nminutes-of-the-meeting.html ${after}`),
      `${before} ${link(whole)} ${after}`,
    );
  });
}

for (const [name, render] of Object.entries({
  "markdown-it": inMarkdown,
  rehype: inPage,
  react: (text, options) => inReact(text, { options }),
})) {
  test(`${name}: only safe schemes become links, or those of the option`, () => {
    assert.equal(render("git://host.dom/a"), "git://host.dom/a");
    assert.equal(render("git://host.dom/a http://h.dom/", { linkSchemes: ["git"] }), `${link("git://host.dom/a")} http://h.dom/`);
    assert.equal(render("git://host.dom/a http://h.dom/", { linkSchemes: "GIT,http" }), `${link("git://host.dom/a")} ${link("http://h.dom/")}`);
  });

  test(`${name}: a name without a scheme becomes a link on request`, () => {
    assert.equal(render("www.host.dom/a"), "www.host.dom/a");
    assert.equal(render("at www.host.dom/a.", { form: "+schemeless" }), `at ${link("http://www.host.dom/a", "www.host.dom/a")}.`);
    assert.equal(render("joe@host.dom", { form: "+email" }), link("mailto:joe@host.dom", "joe@host.dom"));
    assert.equal(render("at ftp.host.dom:/a b", { form: "+locator" }), `at ${link("ftp://ftp.host.dom/a")} b`);
  });

  test(`${name}: no text adds attributes or scripts`, () => {
    assert.match(render('http://host.dom/"onclick="a()" x'), /^<a href="http:\/\/host\.dom\/">[^<]*<\/a>[^<]*$/);
    assert.match(render("http://host.dom/'onclick='a()' x"), /^<a href="http:\/\/host\.dom\/[^"<]*">[^<]*<\/a>[^<]*$/);
    for (const text of ["javascript:alert(1)", "JavaScript://host.dom/%0Aalert(1)", "data:text/html,a"]) {
      assert.doesNotMatch(render(text, { scheme: "javascript,data" }), /<a/);
    }
  });
}

test("markdown-it: code, links and emphasis stay what they are", () => {
  assert.equal(inMarkdown(`\`${a}\``), `<code>${a}</code>`);
  assert.equal(inMarkdown("[a http://x.dom/ b](http://host.dom/)"), link("http://host.dom/", "a http://x.dom/ b"));
  assert.equal(inMarkdown("*http://host.dom/*"), `<em>${link("http://host.dom/")}</em>`);
  assert.equal(inMarkdown("**x** http://host.dom/a_b_c *y*"), `<strong>x</strong> ${link("http://host.dom/a_b_c")} <em>y</em>`);
  assert.equal(inMarkdown("<http://host.dom/>"), link("http://host.dom/"));
  assert.equal(inMarkdown("[a *http://x.dom/* b](http://host.dom/)"), link("http://host.dom/", "a <em>http://x.dom/</em> b"));
  assert.equal(inMarkdown(`[a](/b "${a}") ${a}`), `<a href="/b" title="${a}">a</a> ${link(a)}`);
  assert.equal(inMarkdown(`![${a}](/b) ${a}`), `<img src="/b" alt="${a}"> ${link(a)}`);
  assert.equal(markdownIt({ html: true }).use(urlsift).renderInline(`<a href="${a}">${a}</a>`), link(a));
});

test("markdown-it: linkify can be turned off later", () => {
  assert.equal(markdownIt().use(urlsift).disable("linkify").renderInline(a), a);
  assert.equal(markdownIt().use(urlsift).set({ linkify: false }).renderInline(a), a);
});

test("rehype: links and code stay as they are, and properties are added", () => {
  for (const html of [link("http://x.dom/", a), `<code>${a}</code>`, `<pre>${a}</pre>`]) assert.equal(inPage(html), html);
  assert.equal(inPage(`<p>${a}</p>`, { properties: { rel: ["nofollow"] } }), `<p><a rel="nofollow" href="${a}">${a}</a></p>`);
  assert.equal(inPage(`<samp>${a}</samp>`, { skip: [] }), `<samp>${link(a)}</samp>`);
});

test("react: elements below are searched, links and code are not", () => {
  const children = [createElement("p", { key: 1 }, `a ${a}`), createElement("a", { key: 2 }, a), createElement("code", { key: 3 }, a)];
  assert.equal(inReact(children), `<p>a ${link(a)}</p><a>${a}</a><code>${a}</code>`);
  assert.equal(inReact([createElement("br", { key: 1 }), null, 1, a]), `<br/>1${link(a)}`);
  assert.equal(inReact(a, { attributes: { rel: "nofollow" } }), `<a rel="nofollow" href="${a}">${a}</a>`);
  const Button = ({ href }) => createElement("button", null, href);
  assert.equal(inReact(a, { component: Button }), `<button>${a}</button>`);
  const Link = ({ href, children }) => createElement("a", { href }, children);
  assert.equal(inReact(createElement(Link, { href: "/b" }, a), { component: Link }), link("/b", a));
});
