/** Loads the module. Browsers must wait for it before anything else is called; in Node it is loaded already. */
export default function init(options?: {
  /** Where the module is, or the module itself; without it, beside this file. */
  module_or_path?: string | URL | Request | Response | BufferSource | WebAssembly.Module;
}): Promise<unknown>;

/** The rules to judge by: RFC 1738, its dialect of 1994, RFC 3986, or what browsers follow. */
export type Profile = "rfc1738" | "cern1994" | "rfc3986" | "web";

/** How a URL stands in the text. */
export type Form =
  | "wrapped" | "bracketed" | "prefixed" | "bare" | "attribute" | "schemeless" | "locator"
  | "email";

export interface FindOptions {
  /** The rules to judge by: `"web"`, if nothing else is said. */
  profile?: Profile;
  /** How far bare URLs are followed over line breaks: `"likely"`, if nothing else is said. */
  rejoin?: "off" | "certain" | "likely";
  /** What becomes of what is not valid in the profile: `"skip"`, if nothing else is said. */
  malformed?: "skip" | "include" | "only";
  /** Only URLs of these schemes. One that is not known is looked for, too. */
  schemes?: readonly string[];
  /** Only URLs in these forms. */
  forms?: readonly Form[];
  /** Also `www.host.dom/path`. */
  schemeless?: boolean;
  /** Also `ftp.host.dom:/path`. */
  locators?: boolean;
  /** Also addresses, as `joe@host.dom`. */
  emails?: boolean;
  /** Passwords come as `***`. */
  maskPasswords?: boolean;
}

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
