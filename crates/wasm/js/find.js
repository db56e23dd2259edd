import { byOptions, makeDisposable, mustBeText, setAll, utf8 } from "./arguments.js";
import { Finder, forms, host, href, normalized, parse as parseInBytes, units } from "./wasm/find.js";

// The flags in a match's info word, as packed by the module.
const VALID = 1 << 8;
const TEXT = 1 << 9;

let names;

export class Match {
  #profile;

  constructor(profile, url, start, end, form, valid) {
    this.#profile = profile;
    this.url = url;
    this.start = start;
    this.end = end;
    this.form = form;
    this.valid = valid;
  }

  get normalized() {
    return this.valid ? normalized(this.url, this.form, this.#profile) : this.url;
  }

  get href() {
    return href(this.url, this.form);
  }

  get scheme() {
    const target = this.href;
    return target.slice(0, target.indexOf(":")).toLowerCase();
  }

  get host() {
    return host(this.href, this.#profile) ?? null;
  }

  toJSON() {
    const { url, start, end, form, valid, normalized, href, scheme, host } = this;
    return { url, start, end, form, valid, normalized, href, scheme, host };
  }
}

export class Scanner {
  #finder = new Finder();
  #profile;

  constructor(options = {}) {
    try {
      setAll(this.#finder, options);
    } catch (error) {
      this.free();
      throw error;
    }
    this.#profile = this.#finder.profile();
  }

  find(text) {
    mustBeText("text", text);
    if (!this.#finder) throw new Error("the scanner has been freed");
    names ??= forms();
    const texts = [];
    const words = this.#finder.find(utf8(text), texts);
    const matches = new Array(words.length / 3);
    let others = 0;
    for (let i = 0; i < matches.length; i++) {
      const start = words[3 * i];
      const end = words[3 * i + 1];
      const word = words[3 * i + 2];
      const url = word & TEXT ? texts[others++] : text.slice(start, end);
      matches[i] = new Match(this.#profile, url, start, end, names[word & 0xff], (word & VALID) !== 0);
    }
    return matches;
  }

  free() {
    this.#finder?.free();
    this.#finder = null;
  }
}

makeDisposable(Scanner);

const scannerFor = byOptions((options) => new Scanner(options));
let plain;

export function find(text, options) {
  return (options ? scannerFor(options) : (plain ??= new Scanner())).find(text);
}

export function parse(url, { profile = "web", reference = false, maskPasswords = false, maskSecrets = false } = {}) {
  mustBeText("url", url);
  const [line, normalForm = null] = parseInBytes(url, profile, reference, maskPasswords, maskSecrets);
  const { type, ...record } = JSON.parse(line);
  const reports = [...record.violations, ...record.findings];
  const places = units(utf8(url), reports.flatMap(({ start, end }) => [start, end]));
  reports.forEach((report, i) => {
    report.start = places[2 * i];
    report.end = places[2 * i + 1];
  });
  return { ...record, normalized: normalForm };
}
