const encoder = new TextEncoder();

/** Returns the UTF-8 bytes of a text; a lone surrogate becomes U+FFFD. */
export const utf8 = (text) => encoder.encode(text);

/** Sets each option on the target; skips undefined values. */
export function setAll(target, options) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (name.includes("_")) throw new Error(`there is no option '${name}'`);
    target.set(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), [value].flat().join());
  }
}

export function mustBeText(name, value) {
  if (typeof value !== "string") throw new TypeError(`${name} is no string`);
}
