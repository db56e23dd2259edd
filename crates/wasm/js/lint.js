import { mustBeText, setAll, utf8 } from "./arguments.js";
import { Judge, units } from "./wasm/lint.js";

export class Linter {
  #judge = new Judge();

  constructor(options = {}) {
    setAll(this.#judge, options);
  }

  lint(text) {
    mustBeText("text", text);
    const found = this.#judge.lint(text).split("\n").slice(0, -1).map((line) => {
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
    return this.#judge.fix(text, unsafe);
  }
}

export function lint(text, options) {
  return new Linter(options).lint(text);
}

export function fix(text, { unsafe, ...options } = {}) {
  return new Linter(options).fix(text, { unsafe });
}
