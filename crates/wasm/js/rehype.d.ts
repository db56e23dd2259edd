import type { LinkOptions } from "./links.js";

/** The options of the plugin. */
export interface RehypeUrlsiftOptions extends LinkOptions {
  /** The names of the elements whose text stays as it is (default: `a`, `code`, `pre`, `script` and others). */
  skip?: readonly string[];
  /** Further properties of the links, e.g. `{ rel: ["nofollow"] }`. */
  properties?: Record<string, unknown>;
}

/**
 * A plugin for rehype that makes links of URLs in the text of a page. A URL that is broken across
 * lines becomes one link. In browsers, await `init()` of `urlsift` before you use it.
 */
export default function rehypeUrlsift(options?: RehypeUrlsiftOptions): (tree: object) => void;
