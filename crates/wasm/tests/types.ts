// Checks the type declarations; only the compiler runs this.

import init, { find, parse, Scanner, type FindOptions, type Match, type MatchProperties, type Parsed } from "urlsift";
import { fix, lint, Linter, type Diagnostic } from "urlsift/lint";
import markdownIt from "urlsift/markdown-it";
import { Linkify, type LinkifyProps } from "urlsift/react";
import rehype from "urlsift/rehype";

export async function all(text: string): Promise<string[]> {
  await init();
  const options: FindOptions = { profile: "rfc3986", rejoin: "off", scheme: ["ftp"] as const, form: "+schemeless" };
  const matches: Match[] = [...find(text, options), ...new Scanner().find(text)];
  const parsed: Parsed = parse(text, { reference: true });
  const found: Diagnostic[] = lint(text, { dialect: "html" });
  // @ts-expect-error No profile has this name.
  find(text, { profile: "rfc9" });
  // @ts-expect-error Matches are read-only.
  matches[0].url = "";
  return [...matches.map((match) => match.normalized), parsed.violations[0].code, found[0].fix!.edits[0].text, fix(text, { unsafe: true })];
}

export function links(md: object): void {
  using scanner = new Scanner({ form: "+email" });
  const host: string | null = scanner.find("")[0].host;
  const copy: MatchProperties = scanner.find("")[0].toJSON();
  // @ts-expect-error The copy is an object of its own, without methods.
  copy.toJSON();
  new Linter().free();
  markdownIt(md, { linkSchemes: ["http"], form: "+schemeless" });
  rehype({ skip: ["a"], properties: { rel: host } })({});
  const properties: LinkifyProps = { children: "text", attributes: { rel: "nofollow" }, component: "span" };
  Linkify(properties);
}
