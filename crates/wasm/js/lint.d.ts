import type { Profile } from "./find.js";

/** Loads the module. In browsers, await it before any other call. Node has loaded the module already. */
export default function init(options?: {
  /** The URL of the module, or the module itself. Default: the file beside this one. */
  module_or_path?: string | URL | Request | Response | BufferSource | WebAssembly.Module;
}): Promise<unknown>;

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
  /** Apply only these rules or groups of rules (`"security."`). */
  select?: readonly string[];
  /** Skip these rules or groups of rules. */
  ignore?: readonly string[];
  /** Additional schemes to find. */
  scheme?: string | readonly string[];
  /** Apply every rule to every URL. */
  strict?: boolean;
}

/** A replacement of the range from `start` to `end`, in UTF-16 code units from 0. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A fix of a problem. */
export interface Fix {
  /**
   * How safe the fix is to apply: `"unsafe"` fixes may change the meaning, `"display"` fixes are
   * never applied.
   */
  applicability: "safe" | "unsafe" | "display";
  /** The edits, in text order and not overlapping. Apply all of them or none. */
  edits: Edit[];
}

/** A problem of a URL in a document. Passwords in its texts are masked as `***`. */
export interface Diagnostic {
  /** The stable code of the rule. */
  code: string;
  level: "info" | "warning" | "error";
  /** The start, in UTF-16 code units from 0. */
  start: number;
  /** The end, one past the last code unit. */
  end: number;
  /** The line of the start, from 1. */
  line: number;
  /** The column of the start, in UTF-16 code units from 1. */
  column: number;
  /** The URL concerned. */
  url: string | null;
  message: string;
  /** The number of the RFC that the rule comes from. */
  rfc: number | null;
  /** The section of that RFC. */
  section: string | null;
  notes: string[];
  /** The suggested action. */
  help: string | null;
  fix: Fix | null;
}

/** Options for many texts. Throws an `Error` that names an invalid option. */
export declare class Linter {
  constructor(options?: LintOptions);
  /** Lints the URLs of a text; returns diagnostics in text order. Comments in the text can suppress rules. */
  lint(text: string): Diagnostic[];
  /** Returns the text with all safe fixes applied; with `unsafe`, also fixes that may change the meaning. */
  fix(text: string, options?: { unsafe?: boolean }): string;
}

/** Lints the URLs of a text; returns diagnostics in text order. */
export declare function lint(text: string, options?: LintOptions): Diagnostic[];

/** Returns the text with all safe fixes applied; with `unsafe`, also fixes that may change the meaning. */
export declare function fix(text: string, options?: LintOptions & { unsafe?: boolean }): string;
