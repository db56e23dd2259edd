// The script of the page docs/playground.html, bundled with both modules.

import { Scanner, parse } from "../pkg/find.js";
import { Linter } from "../pkg/lint.js";
import { initSync as initFind } from "../pkg/wasm/find.js";
import findModule from "../pkg/wasm/find_bg.wasm";
import { initSync as initLint } from "../pkg/wasm/lint.js";
import lintModule from "../pkg/wasm/lint_bg.wasm";

const EXAMPLE = `Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
type=d> but you can probably pick it up from <URL:ftp://ds.in
ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
net/instructions/overview.html#WARNING>.

> The long one: http://www.example.org/archive/1994/december/minutes-of-
> the-meeting.html
> and http//host.dom/colon-missing, http://host..dom/two-dots.

HTTP://Host.Dom:80/%7ejoe and mailto:joe@host.dom, too.
`;

const byId = (id) => document.getElementById(id);

function element(name, content, className) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...[content].flat());
  return made;
}

function optionsOf(form) {
  const { profile, rejoin, dialect, schemeless } = form.elements;
  return { profile: profile.value, rejoin: rejoin.value, dialect: dialect.value, schemeless: schemeless.checked };
}

/** Returns the text with the URLs marked. */
function marked(text, matches) {
  let end = 0;
  const nodes = matches.flatMap((match) => {
    const before = text.slice(end, match.start);
    end = match.end;
    const mark = element("mark", text.slice(match.start, match.end), match.valid ? "" : "bad");
    mark.title = match.valid ? match.url : `not valid: ${match.url}`;
    return [before, mark];
  });
  return [...nodes, text.slice(end)];
}

function urlRow(text, match, profile) {
  const isJoined = match.url !== text.slice(match.start, match.end);
  const { components, violations } = parse(match.url, { profile, reference: true });
  const form = [match.form, ...(isJoined ? [element("span", "put together again", "told")] : [])];
  const why = match.valid ? [] : violations.map(({ message, code }) => element("span", `${message} (${code})`, "told"));
  const verdict = [element("span", match.valid ? "valid" : "not valid", match.valid ? "verdict" : "verdict bad"), ...why];
  const parts = Object.entries(components ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const url = [match.url, ...(match.normalized === match.url ? [] : [element("span", `compared as ${match.normalized}`, "told")])];
  return element("tr", [element("td", url, "url"), element("td", form), element("td", verdict), element("td", parts.join(", "))]);
}

function faultRow(found) {
  const told = [found.message, ...[...found.notes, found.help].filter(Boolean).map((note) => element("span", note, "told"))];
  const rule = [`${found.level}: ${found.code}`, ...(found.rfc ? [element("span", `RFC ${found.rfc}${found.section ? ` §${found.section}` : ""}`, "told")] : [])];
  return element("tr", [element("td", `${found.line}:${found.column}`), element("td", rule), element("td", told)]);
}

function nothing(columns, words) {
  const cell = element("td", words, "told");
  cell.colSpan = columns;
  return element("tr", cell);
}

function show() {
  const text = byId("text").value;
  const { profile, rejoin, dialect, schemeless } = optionsOf(byId("options"));
  const form = schemeless ? "+schemeless" : undefined;
  const matches = new Scanner({ profile, rejoin, form, malformed: "include" }).find(text);
  const faults = new Linter({ profile, rejoin, dialect }).lint(text);
  const wrong = matches.filter((match) => !match.valid).length;
  byId("count").textContent = `${matches.length} found, ${wrong} of them not valid`;
  byId("shown").replaceChildren(...marked(text, matches));
  byId("urls").replaceChildren(...(matches.length ? matches.map((match) => urlRow(text, match, profile)) : [nothing(4, "none")]));
  byId("faults").replaceChildren(...(faults.length ? faults.map(faultRow) : [nothing(3, "nothing")]));
}

initFind({ module: findModule });
initLint({ module: lintModule });
window.urlsiftPlayground = true;
byId("text").value = EXAMPLE;
let waits;
byId("text").addEventListener("input", () => {
  clearTimeout(waits);
  waits = setTimeout(show, 100);
});
byId("options").addEventListener("change", show);
byId("options").addEventListener("submit", (event) => event.preventDefault());
show();
