import type { Profile } from "./find.js";

/** Loads the module. Browsers must wait for it before anything else is called; in Node it is loaded already. */
export default function init(options?: {
  /** Where the module is, or the module itself; without it, beside this file. */
  module_or_path?: string | URL | Request | Response | BufferSource | WebAssembly.Module;
}): Promise<unknown>;

export interface LintOptions {
  /** The markup or programming language of the text, as `"markdown"`, `"html"` or `"rust"`; `"plain"`, if nothing else is said. */
  dialect?: string;
  /** The rules for URLs: `"web"`, if nothing else is said. */
  profile?: Profile;
  /** How far bare URLs are followed over line breaks: `"likely"`, if nothing else is said. */
  rejoin?: "off" | "certain" | "likely";
  /** Only these rules, or rooms of them (`"security."`). */
  select?: readonly string[];
  /** None of these rules, or rooms of them. */
  ignore?: readonly string[];
  /** Further schemes to look for. */
  scheme?: string | readonly string[];
  /** Every rule speaks of every URL. */
  strict?: boolean;
}

/** A replacement of what stands from `start` to `end`, in UTF-16 code units from 0. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** What mends a fault. */
export interface Fix {
  /** How far it can be trusted. */
  applicability: "safe" | "unsafe" | "display";
  /** By place, not overlapping: they are made together or not at all. */
  edits: Edit[];
}

/** A fault of a URL in a document. Passwords in its texts are `***`. */
export interface Diagnostic {
  /** The stable name of the rule. */
  code: string;
  level: "info" | "warning" | "error";
  /** Where it starts, in UTF-16 code units from 0. */
  start: number;
  /** Where it ends, one past the last. */
  end: number;
  /** From 1. */
  line: number;
  /** In UTF-16 code units from 1. */
  column: number;
  /** The URL that it concerns. */
  url: string | null;
  message: string;
  /** The number of the RFC that the rule comes from. */
  rfc: number | null;
  /** The section of that RFC. */
  section: string | null;
  notes: string[];
  /** What to do. */
  help: string | null;
  fix: Fix | null;
}

/** Settings for many texts. Throws an `Error` that names the option that is wrong. */
export declare class Linter {
  constructor(options?: LintOptions);
  /** What is wrong with the URLs of a text, by place. Comments in it that silence rules do. */
  lint(text: string): Diagnostic[];
  /** The text with what can be mended safely mended; with `unsafe`, also what may change a meaning. */
  fix(text: string, options?: { unsafe?: boolean }): string;
}

/** What is wrong with the URLs of a text, by place. */
export declare function lint(text: string, options?: LintOptions): Diagnostic[];

/** The text with what can be mended mended. */
export declare function fix(text: string, options?: LintOptions & { unsafe?: boolean }): string;
