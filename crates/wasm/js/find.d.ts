/** Loads the module. Browsers must wait for it before anything else is called; in Node it is loaded already. */
export default function init(options?: {
  /** Where the module is, or the module itself; without it, beside this file. */
  module_or_path?: string | URL | Request | Response | BufferSource | WebAssembly.Module;
}): Promise<unknown>;

// options: begin (written by URLSIFT_UPDATE=1 cargo test -p urlsift-records --test option_pages)
/** A value of the option `profile`: Validate by web, rfc3986, rfc1738 or cern1994. */
export type Profile =
  /** RFC 1738, to the letter */
  | "rfc1738"
  /** The draft of 1994 that preceded it */
  | "cern1994"
  /** RFC 3986 and the current documents of each scheme */
  | "rfc3986"
  /** What works in practice today */
  | "web";

/** A value of the option `malformed`: Report invalid URLs: skip, include or only. */
export type Malformed =
  /** Leave them out */
  | "skip"
  /** Report them, too */
  | "include"
  /** Report only them */
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
  /** Never (breaks within `<URL:...>` are always joined) */
  | "off"
  /** Where the format or the text itself proves it */
  | "certain"
  /** Also where the layout makes it the better reading */
  | "likely";

/** The options of a search in text. */
export interface FindOptions {
  /** Validate by web, rfc3986, rfc1738 or cern1994 (default: web). */
  profile?: Profile;
  /** Report invalid URLs: skip, include or only (default: skip). */
  malformed?: Malformed;
  /** Report only URLs of these schemes. */
  scheme?: string | readonly string[];
  /** Report only URLs in these forms; `+FORM` adds to the default. */
  form?: Form | `+${Form}` | readonly (Form | `+${Form}`)[];
  /** Join URLs across line breaks: off, certain or likely (default: likely). */
  rejoin?: Rejoin;
  /** Show passwords as `***`. */
  maskPasswords?: boolean;
}
// options: end

/** A URL in a text. */
export declare class Match {
  /** The URL without layout: line breaks and quote marks that stood in it are gone. */
  readonly url: string;
  /** Where it starts, without wrapper or prefix: in UTF-16 code units from 0, as `text.slice` counts. */
  readonly start: number;
  /** Where it ends, one past the last code unit. */
  readonly end: number;
  readonly form: Form;
  /** Whether the profile accepts it. */
  readonly valid: boolean;
  /** The form to compare by: what means the same has the same. Worked out when it is asked for. */
  get normalized(): string;
}

/** Settings, and what is made of them once: for many texts. Throws an `Error` that names the option that is wrong. */
export declare class Scanner {
  constructor(options?: FindOptions);
  /** The URLs of a text, in its order. Linear. A lone surrogate is a character that no URL holds. */
  find(text: string): Match[];
}

/** The URLs of a text, in its order. With options for more than a few texts, a `Scanner` is faster. */
export declare function find(text: string, options?: FindOptions): Match[];

/** A rule that a URL breaks, or what else there is to say. */
export interface Report {
  /** The stable name of the rule. */
  code: string;
  /** How much a finding matters; violations have none. */
  level?: "info" | "warning";
  /** Where it starts in the URL, in UTF-16 code units from 0. */
  start: number;
  /** Where it ends, one past the last. */
  end: number;
  /** The number of the RFC that the rule comes from. */
  rfc: number;
  /** The section of that RFC. */
  section: string;
  message: string;
}

/** A part of a URL: null if it is absent, `""` if it is empty. */
export type Part = string | number | boolean | null | Part[];

/** The verdict on one URL. */
export interface Parsed {
  input: string;
  valid: boolean;
  profile: Profile;
  /** In lower case if it is known; null if there is none. */
  scheme: string | null;
  /** Its parts as written; which there are is a matter of the scheme. Null if it is not valid. */
  components: Record<string, Part> | null;
  /** What its parts mean, decoded. Null if it is not valid. */
  semantics: Record<string, Part> | null;
  /** The rules that it breaks, by place. */
  violations: Report[];
  /** What else there is to say, by place. */
  findings: Report[];
  /** The form to compare by; null if it is not valid. */
  normalized: string | null;
}

export interface ParseOptions {
  /** The rules to judge by: `"web"`, if nothing else is said. */
  profile?: Profile;
  /** Whether a fragment may follow the URL. */
  reference?: boolean;
  /** Passwords come as `***`, in all parts. */
  maskPasswords?: boolean;
}

/** One URL in its parts, with all that is wrong with it. What is no URL is no error, but has violations. */
export declare function parse(url: string, options?: ParseOptions): Parsed;
