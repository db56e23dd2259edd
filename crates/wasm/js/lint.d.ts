/// <reference lib="esnext.disposable" />

import type { Profile } from "./find.js";

/** Loads the module. In browsers, await it before any other call. Node has loaded the module already. */
export default function init(options?: {
  /**
   * The URL of the WebAssembly module, a request or response for it, its bytes, or the compiled
   * module. Default: the file next to this one.
   */
  module_or_path?: string | object;
}): Promise<unknown>;

/** The options of `lint`, `fix` and `Linter`. */
export interface LintOptions {
  /**
   * The markup or programming language of the text, e.g. `"markdown"`, `"html"` or `"rust"`
   * (default: `"plain"`).
   */
  dialect?: string;
  /** The rule set to validate by (default: `"web"`). */
  profile?: Profile;
  /** Join bare URLs across line breaks (default: `"likely"`). */
  rejoin?: "off" | "certain" | "likely";
  /** Apply only these rules, e.g. `"host.label"`, or groups of rules, e.g. `"security."`. */
  select?: readonly string[];
  /** Skip these rules or groups of rules. */
  ignore?: readonly string[];
  /** Additional schemes to find, even without `//` after the colon. */
  scheme?: string | readonly string[];
  /** Report every rule at its own level for every URL, including URLs in code and examples (default: false). */
  strict?: boolean;
  /** Show tokens as `***`, too (default: false). */
  maskSecrets?: boolean;
}

/** An edit: replace the range from `start` to `end` with `text`. In UTF-16 code units from 0. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The edits that fix a problem. */
export interface Fix {
  /**
   * How safe the fix is to apply: `"unsafe"` fixes may change the meaning, `"display"` fixes are
   * never applied.
   */
  applicability: "safe" | "unsafe" | "display";
  /** The edits, in text order and not overlapping. Apply all of them or none. */
  edits: Edit[];
}

/** A problem of a URL in a text. Passwords, and tokens with `maskSecrets`, are masked as `***` in its strings. */
export interface Diagnostic {
  /** The stable code of the rule. */
  code: string;
  /** The severity. */
  level: "info" | "warning" | "error";
  /** The start, in UTF-16 code units from 0. */
  start: number;
  /** The end, one past the last code unit. */
  end: number;
  /** The line of the start, from 1. */
  line: number;
  /** The column of the start, in UTF-16 code units from 1. */
  column: number;
  /** The faulty URL; null if the problem is not about a URL. */
  url: string | null;
  /** A description of the problem. */
  message: string;
  /** The number of the RFC that the rule comes from. */
  rfc: number | null;
  /** The section of that RFC. */
  section: string | null;
  /** Additional information about this occurrence. */
  notes: string[];
  /** Instructions for fixing the problem. */
  help: string | null;
  /** The automatic fix; null if there is none. */
  fix: Fix | null;
}

/** Lints many texts with the same options. The constructor throws an `Error` that names an invalid option. */
export declare class Linter {
  constructor(options?: LintOptions);
  /** Lints the URLs of a text and returns diagnostics in text order. Comments in the text can suppress rules. */
  lint(text: string): Diagnostic[];
  /** Returns the text with all safe fixes applied. With `unsafe`, also applies fixes that may change the meaning. */
  fix(text: string, options?: { unsafe?: boolean }): string;
  /** Frees the memory of the linter, which is then no longer usable. */
  free(): void;
  /** Calls `free` at the end of the block that declares the linter with `using`. */
  [Symbol.dispose](): void;
}

/** Lints the URLs of a text and returns diagnostics in text order. */
export declare function lint(text: string, options?: LintOptions): Diagnostic[];

/** Returns the text with all safe fixes applied. With `unsafe`, also applies fixes that may change the meaning. */
export declare function fix(text: string, options?: LintOptions & { unsafe?: boolean }): string;
