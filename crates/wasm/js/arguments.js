const encoder = new TextEncoder();

/** The bytes of a text as the modules read it; for a lone surrogate those of U+FFFD. */
export const utf8 = (text) => encoder.encode(text);

/** Hands options over one by one, lists value by value; what is undefined is not set. */
export function setAll(target, options) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) target.set(name, String(one));
  }
}

export function mustBeText(name, value) {
  if (typeof value !== "string") throw new TypeError(`${name} is no string`);
}
