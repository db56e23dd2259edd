/// <reference lib="esnext.disposable" />

/** Loads the module. In browsers, await it before any other call. Node has loaded the module already. */
export default function init(options?: {
  /**
   * The URL of the WebAssembly module, a request or response for it, its bytes, or the compiled
   * module. Default: the file next to this one.
   */
  module_or_path?: string | object;
}): Promise<unknown>;

// options: begin (written by URLSIFT_UPDATE=1 cargo test -p urlsift-records --test option_pages)
/** A value of the option `profile`: Validate URLs against web, rfc3986, rfc1738 or cern1994. */
export type Profile =
  /** RFC 1738, strictly */
  | "rfc1738"
  /** The draft of 1994 that preceded RFC 1738 */
  | "cern1994"
  /** RFC 3986 and the current specification of each scheme */
  | "rfc3986"
  /** URLs that work in practice today */
  | "web";

/** A value of the option `malformed`: Report invalid URLs: skip, include or only. */
export type Malformed =
  /** Skip invalid URLs */
  | "skip"
  /** Report invalid URLs, too */
  | "include"
  /** Report only invalid URLs */
  | "only";

/** A value of the option `form`: Report only URLs in these forms; `+FORM` adds to the default. */
export type Form =
  /** `<URL:...>` */
  | "wrapped"
  /** `<scheme:...>` */
  | "bracketed"
  /** `URL:scheme:...` */
  | "prefixed"
  /** `scheme:...` in running text */
  | "bare"
  /** `www.host.dom/path`; not by default */
  | "schemeless"
  /** `ftp.host.dom:/path`, as in USENET; not by default */
  | "locator"
  /** `joe@host.dom` outside URLs; not by default */
  | "email";

/** A value of the option `rejoin`: Join URLs across line breaks: off, certain or likely. */
export type Rejoin =
  /** Don't join lines, except within `<URL:...>` or `<...>` */
  | "off"
  /** Join lines only where the format or the text proves that the URL continues */
  | "certain"
  /** Join lines also where the layout makes it likely that the URL continues */
  | "likely";

/** The options of a search in text. */
export interface FindOptions {
  /** Validate URLs against web, rfc3986, rfc1738 or cern1994 (default: web). */
  profile?: Profile;
  /** Report invalid URLs: skip, include or only (default: skip). */
  malformed?: Malformed;
  /** Report only URLs of these schemes. */
  scheme?: string | readonly string[];
  /** Report only URLs whose host matches, e.g. `*.w3.org` or `!localhost`. */
  host?: string | readonly string[];
  /** Report only URLs of hosts in these domains, e.g. `w3.org`. */
  domain?: string | readonly string[];
  /** Report only URLs that match, e.g. `*.pdf` or `!*cgi-bin*`. */
  url?: string | readonly string[];
  /** Report only URLs in these forms; `+FORM` adds to the default. */
  form?: Form | `+${Form}` | readonly (Form | `+${Form}`)[];
  /** Join URLs across line breaks: off, certain or likely (default: likely). */
  rejoin?: Rejoin;
  /** Show passwords as `***`. */
  maskPasswords?: boolean;
  /** Show passwords and tokens as `***`. */
  maskSecrets?: boolean;
}
// options: end

/** A URL that `find` found in a text. */
export declare class Match {
  /** The URL without the line breaks and quote marks inside it. */
  readonly url: string;
  /**
   * The start of the URL in the text, without a wrapper or prefix. In UTF-16 code units from 0,
   * like the arguments of `text.slice`.
   */
  readonly start: number;
  /** The end of the URL in the text, one past the last code unit. */
  readonly end: number;
  /** How the URL is written in the text. */
  readonly form: Form;
  /** True if the profile accepts the URL. */
  readonly valid: boolean;
  /** The normalized form, which is the same for equivalent URLs. Computed on each access. */
  get normalized(): string;
  /**
   * The target for a link: the URL, with `http://`, `ftp://` or `mailto:` where the text has no
   * scheme. Not escaped for HTML. Computed on each access.
   */
  get href(): string;
  /** The scheme of `href`, in lower case. Check it before you make a link: see `linkSchemes`. */
  get scheme(): string;
  /** The host as written; null if the URL has none or is not valid. Computed on each access. */
  get host(): string | null;
  /** Returns an object with all properties, for `JSON.stringify`, `postMessage` and the spread syntax. */
  toJSON(): MatchProperties;
}

/** The properties of a match in an object of its own. */
export type MatchProperties = Omit<Match, "toJSON">;

/**
 * Finds URLs in many texts with the same options. The constructor throws an `Error` that names an
 * invalid option.
 */
export declare class Scanner {
  constructor(options?: FindOptions);
  /** Finds the URLs of a text, in text order, in linear time. A lone surrogate is never part of a URL. */
  find(text: string): Match[];
  /**
   * Frees the memory of the scanner, which is then no longer usable; its matches are. Without this
   * call, the memory is freed some time after the last use.
   */
  free(): void;
  /** Calls `free` at the end of the block that declares the scanner with `using`. */
  [Symbol.dispose](): void;
}

/**
 * Finds the URLs of a text, in text order. Keeps the scanners for the 16 sets of options that were
 * used last.
 */
export declare function find(text: string, options?: FindOptions): Match[];

/** A violation or a finding: a fault in a URL, or a doubtful part of it. */
export interface Report {
  /** The stable code of the rule. */
  code: string;
  /** The severity of a finding; absent for violations. */
  level?: "info" | "warning";
  /** The start in the URL, in UTF-16 code units from 0. */
  start: number;
  /** The end, one past the last code unit. */
  end: number;
  /** The number of the RFC that the rule comes from. */
  rfc: number;
  /** The section of that RFC. */
  section: string;
  /** A description of the rule. */
  message: string;
}

/** A component of a URL: null if it is absent, `""` if it is empty. */
export type Part = string | number | boolean | null | Part[];

/** The result of parsing one URL. */
export interface Parsed {
  /** The URL as given. */
  input: string;
  /** True if there are no violations. */
  valid: boolean;
  /** The profile that the URL was validated by. */
  profile: Profile;
  /** The scheme, in lower case if it is known; null if there is none. */
  scheme: string | null;
  /** The components as written; the keys depend on the scheme. Null if the URL is not valid. */
  components: Record<string, Part> | null;
  /** The decoded meaning of the components. Null if the URL is not valid. */
  semantics: Record<string, Part> | null;
  /** The violations, in the order of their positions. */
  violations: Report[];
  /** The findings that are not violations, in the order of their positions. */
  findings: Report[];
  /** The normalized form; null if the URL is not valid. */
  normalized: string | null;
}

/** The options of `parse`. */
export interface ParseOptions {
  /** The rule set to validate by (default: `"web"`). */
  profile?: Profile;
  /** Allow a fragment (`#...`) after the URL even if the profile doesn't, as RFC 1738 (default: false). */
  reference?: boolean;
  /** Replace passwords with `***` everywhere (default: false). */
  maskPasswords?: boolean;
  /** Replace passwords and tokens with `***` everywhere (default: false). */
  maskSecrets?: boolean;
}

/** Splits one URL into components and reports every violation. Does not throw for an invalid URL. */
export declare function parse(url: string, options?: ParseOptions): Parsed;
