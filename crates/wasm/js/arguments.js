const encoder = new TextEncoder();

/** Encodes a text as UTF-8. A lone surrogate becomes U+FFFD. */
export const utf8 = (text) => encoder.encode(text);

/** Sets each option on `target`, a Finder or Judge, with its name in snake case. Skips undefined values. */
export function setAll(target, options) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (name.includes("_")) throw new Error(`there is no option '${name}'`);
    target.set(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), [value].flat().join());
  }
}

/** Throws a TypeError unless the argument is a string. */
export function mustBeText(name, value) {
  if (typeof value !== "string") throw new TypeError(`${name} is no string`);
}
