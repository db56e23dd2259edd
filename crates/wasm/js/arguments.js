const encoder = new TextEncoder();

/** Encodes a text as UTF-8. A lone surrogate becomes U+FFFD. */
export const utf8 = (text) => encoder.encode(text);

/** Returns the value of an option as the module reads it: lists are comma-separated. */
const asText = (value) => [value].flat().join();

/** Returns the options that have a value, as pairs of name and value. */
const given = (options) => Object.entries(options).filter(([, value]) => value !== undefined);

/** Sets each option on `target`, a Finder or Judge, with its name in snake case. Skips undefined values. */
export function setAll(target, options) {
  for (const [name, value] of given(options)) {
    if (name.includes("_")) throw new Error(`there is no option '${name}'`);
    target.set(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), asText(value));
  }
}

/** Throws a TypeError unless the argument is a string. */
export function mustBeText(name, value) {
  if (typeof value !== "string") throw new TypeError(`${name} is not a string`);
}

/** The maximum number of objects that `byOptions` keeps. */
const MAX_KEPT = 16;

/**
 * Returns a function from options to the object that `make` creates for them. It keeps the objects
 * that were used last, and frees the others, because memory in the module is not garbage-collected.
 */
export function byOptions(make) {
  const kept = new Map();
  return (options = {}) => {
    const key = JSON.stringify(given(options).map(([name, value]) => [name, asText(value)]).sort());
    const object = kept.get(key) ?? make(options);
    // A map is in the order of insertion, so the object that was used last must come last.
    kept.delete(key);
    kept.set(key, object);
    if (kept.size > MAX_KEPT) {
      const [oldest, unused] = kept.entries().next().value;
      kept.delete(oldest);
      unused.free();
    }
    return object;
  };
}

/** Adds `free` under the name that the keyword `using` calls, where JavaScript has it. */
export function makeDisposable({ prototype }) {
  if (Symbol.dispose) prototype[Symbol.dispose] = prototype.free;
}
