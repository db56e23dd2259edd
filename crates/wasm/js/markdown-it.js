import { linkFinder } from "./links.js";

/** The forms that contain no colon, so that the inline rule doesn't meet them. */
const WITHOUT_SCHEME = new Set(["schemeless", "locator", "email"]);

export default function urlsift(md, options) {
  const links = linkFinder(options);
  let last = { src: null, found: [] };
  // A block's source is searched once as a whole, so that a URL can go on after a line break.
  const linksOf = (src) => {
    if (last.src !== src) last = { src, found: links(src) };
    return last.found;
  };

  // Replaces the rule that markdown-it has for URLs with a scheme. markdown-it calls it at each
  // colon; the scheme before it is then the end of the pending text.
  md.inline.ruler.at("linkify", (state, silent) => {
    if (!state.md.options.linkify || state.linkLevel > 0 || state.src[state.pos] !== ":") return false;
    const { pos, src } = state;
    const match = linksOf(src).find(({ start, end }) => start < pos && pos < end);
    if (!match || match.end > state.posMax || WITHOUT_SCHEME.has(match.form)) return false;
    const scheme = src.slice(match.start, pos);
    if (!state.pending.endsWith(scheme)) return false;
    const href = state.md.normalizeLink(match.href);
    if (!state.md.validateLink(href)) return false;
    if (!silent) {
      state.pending = state.pending.slice(0, -scheme.length);
      const open = state.push("link_open", "a", 1);
      open.attrs = [["href", href]];
      state.push("text", "", 0).content = state.md.normalizeLinkText(match.url);
      const close = state.push("link_close", "a", -1);
      for (const token of [open, close]) Object.assign(token, { markup: "linkify", info: "auto" });
    }
    state.pos = match.end;
    return true;
  });

  // markdown-it itself links what has no scheme. It asks this object, which replaces linkify-it.
  const found = (text) => links(text).filter(({ form }) => WITHOUT_SCHEME.has(form));
  const matches = (text) =>
    found(text).map(({ scheme, start, end, url, href }) => ({
      schema: `${scheme}:`,
      index: start,
      lastIndex: end,
      raw: url,
      text: url,
      url: href,
    }));
  md.linkify = {
    pretest: (text) => text.includes("."),
    test: (text) => found(text).length > 0,
    match: (text) => (found(text).length > 0 ? matches(text) : null),
    matchAtStart: () => null,
  };
  md.set({ linkify: true });
}
