const encoder = new TextEncoder();

/** The bytes of a text as the modules read it; for a lone surrogate those of U+FFFD. */
export const utf8 = (text) => encoder.encode(text);

/** Hands options over one by one; what is undefined is not set. */
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
