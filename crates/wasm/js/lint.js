import { byOptions, makeDisposable, mustBeText, setAll, utf8 } from "./arguments.js";
import { Judge, units } from "./wasm/lint.js";

export class Linter {
  #judge = new Judge();

  constructor(options = {}) {
    try {
      setAll(this.#judge, options);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  get #usable() {
    if (!this.#judge) throw new Error("the linter has been freed");
    return this.#judge;
  }

  lint(text) {
    mustBeText("text", text);
    const found = this.#usable.lint(text).split("\n").slice(0, -1).map((line) => {
      const { type, path, ...diagnostic } = JSON.parse(line);
      return diagnostic;
    });
    const edits = found.flatMap(({ fix }) => fix?.edits ?? []);
    const ranges = [...found, ...edits];
    const lines = found.map(({ start, column }) => start - column + 1);
    const places = units(utf8(text), [...ranges.flatMap(({ start, end }) => [start, end]), ...lines]);
    ranges.forEach((range, i) => {
      range.start = places[2 * i];
      range.end = places[2 * i + 1];
    });
    found.forEach((diagnostic, i) => {
      diagnostic.column = diagnostic.start - places[2 * ranges.length + i] + 1;
    });
    return found;
  }

  fix(text, { unsafe = false } = {}) {
    mustBeText("text", text);
    return this.#usable.fix(text, unsafe);
  }

  free() {
    this.#judge?.free();
    this.#judge = null;
  }
}

makeDisposable(Linter);

const linterFor = byOptions((options) => new Linter(options));

export function lint(text, options) {
  return linterFor(options).lint(text);
}

export function fix(text, { unsafe, ...options } = {}) {
  return linterFor(options).fix(text, { unsafe });
}
