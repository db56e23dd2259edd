import { linkFinder } from "./links.js";

/** True if a match is written with its scheme in `text`. */
const hasScheme = (text, { start, scheme }) => text.slice(start, start + scheme.length + 1).toLowerCase() === `${scheme}:`;

export default function urlsift(md, options) {
  const links = linkFinder(options);
  // The links with a scheme of each inline state, by the offset of the colon after the scheme. The
  // source of a state is searched once as a whole, so that a URL can continue after a line break.
  const linksByColon = new WeakMap();
  const linkAtColon = (state) => {
    let found = linksByColon.get(state);
    if (!found) {
      const { src } = state;
      found = new Map(links(src).filter((link) => hasScheme(src, link)).map((link) => [src.indexOf(":", link.start), link]));
      linksByColon.set(state, found);
    }
    return found.get(state.pos);
  };

  // Replaces the rule that markdown-it has for URLs with a scheme. markdown-it calls it at each
  // colon; the scheme before it is then the end of the pending text.
  md.inline.ruler.at("linkify", (state, silent) => {
    if (!state.md.options.linkify || state.linkLevel > 0 || state.src[state.pos] !== ":") return false;
    const link = linkAtColon(state);
    if (!link || link.end > state.posMax) return false;
    const scheme = state.src.slice(link.start, state.pos);
    if (!state.pending.endsWith(scheme)) return false;
    const href = state.md.normalizeLink(link.href);
    if (!state.md.validateLink(href)) return false;
    if (!silent) {
      state.pending = state.pending.slice(0, -scheme.length);
      const open = state.push("link_open", "a", 1);
      open.attrs = [["href", href]];
      state.push("text", "", 0).content = state.md.normalizeLinkText(link.url);
      const close = state.push("link_close", "a", -1);
      for (const token of [open, close]) Object.assign(token, { markup: "linkify", info: "auto" });
    }
    state.pos = link.end;
    return true;
  });

  // markdown-it itself links names without a scheme, which are found only if the option `form` adds
  // them. It asks this object, which replaces linkify-it. `test` is only a quick check, so that a
  // text is searched once.
  const mayMatch = (text) => options?.form !== undefined && text.includes(".");
  md.linkify = {
    pretest: mayMatch,
    test: mayMatch,
    match: (text) =>
      links(text)
        .filter((link) => !hasScheme(text, link))
        .map(({ scheme, start, end, url, href }) => ({
          schema: `${scheme}:`,
          index: start,
          lastIndex: end,
          raw: url,
          text: url,
          url: href,
        })),
    matchAtStart: () => null,
  };
  md.set({ linkify: true });
}
