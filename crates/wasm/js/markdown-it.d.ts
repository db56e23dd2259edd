import type { LinkOptions } from "./links.js";

/**
 * A plugin for markdown-it that makes links of URLs in text. It replaces linkify-it and turns the
 * option `linkify` on. A URL that is broken across lines becomes one link. In browsers, await
 * `init()` of `urlsift` before you render.
 */
export default function urlsift(md: object, options?: LinkOptions): void;
