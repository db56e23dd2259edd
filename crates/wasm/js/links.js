// What the plugins share: which URLs become links.

import { find } from "urlsift";

/** The schemes that become links unless the option `linkSchemes` lists others. */
const SCHEMES = ["http", "https", "ftp", "mailto", "news"];

/**
 * Returns a function that finds the URLs of a text that become links. `linkSchemes` lists their
 * schemes; the other options are those of `find`.
 */
export function linkFinder({ linkSchemes = SCHEMES, ...options } = {}) {
  const schemes = new Set([linkSchemes].flat().join().toLowerCase().split(","));
  return (text) => find(text, options).filter(({ scheme }) => schemes.has(scheme));
}

/**
 * Splits a text at its links: returns strings and matches in the order of the text, or null if the
 * text has no links.
 */
export function splitAtLinks(text, links) {
  const matches = links(text);
  if (matches.length === 0) return null;
  const pieces = [];
  let at = 0;
  for (const match of matches) {
    if (match.start > at) pieces.push(text.slice(at, match.start));
    pieces.push(match);
    at = match.end;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}
