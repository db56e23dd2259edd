// The cases of corpus/text: the URLs to find in each, and how many of them a given finder finds.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { corpus, unitsOf } from "./support.mjs";

/** The schemes that linkify-it knows. */
const KNOWN = /^(https?|ftp|mailto):/i;

/**
 * Returns the text of a case without its marks, and the URLs in it: `url`, `start`, `end` in UTF-16
 * code units.
 */
function read({ text, mark, urls = [] }) {
  if (urls[0]?.start !== undefined) {
    const unit = unitsOf(text);
    return { text, urls: urls.map(({ url, start, end }) => ({ url, start: unit(start), end: unit(end) })) };
  }
  const pieces = text.split(mark ?? "|");
  let at = 0;
  const found = [];
  pieces.forEach((piece, i) => {
    if (i % 2 === 1) found.push({ url: urls[found.length] ?? piece, start: at, end: at + piece.length });
    at += piece.length;
  });
  return { text: pieces.join(""), urls: found };
}

/** Per file: the number of cases, of URLs, and of URLs whose schemes linkify-it knows. */
export function cases() {
  const folder = join(corpus, "text");
  // These files contain mistyped URLs, which are only found on request.
  const files = readdirSync(folder).filter((name) => name.endsWith(".toml") && name !== "near-misses.toml");
  return files.map((name) => {
    const file = parse(readFileSync(join(folder, name), "utf8"));
    const vectors = file.case.some((one) => one.id);
    const defaults = vectors ? { profile: "rfc1738", rejoin: "off" } : file.settings ?? {};
    return {
      name: name.replace(".toml", ""),
      cases: file.case.map((one) => ({ ...read(one), settings: one.settings ?? defaults })),
    };
  });
}

/**
 * Counts the URLs that a finder finds: those of the case, those of them whose schemes linkify-it
 * knows, and others.
 */
export function compared({ cases }, way) {
  const counts = { all: 0, known: 0, others: 0 };
  for (const { text, urls, settings } of cases) {
    const key = ({ url, start, end }) => `${start} ${end} ${url}`;
    const expected = new Set(urls.map(key));
    for (const found of way(text, settings)) {
      if (!expected.has(key(found))) counts.others++;
      else {
        counts.all++;
        counts.known += Number(KNOWN.test(found.url));
      }
    }
  }
  return counts;
}

/** Returns the counts of a perfect finder. */
export const expected = (file) => {
  const urls = file.cases.flatMap((one) => one.urls);
  return { all: urls.length, known: urls.filter(({ url }) => KNOWN.test(url)).length };
};
