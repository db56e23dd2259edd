import type { FindOptions } from "./find.js";

/** The options of the plugins: which URLs become links. */
export interface LinkOptions extends FindOptions {
  /** The schemes of the URLs that become links (default: http, https, ftp, mailto and news). */
  linkSchemes?: string | readonly string[];
}
