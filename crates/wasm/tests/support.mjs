import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const crate = join(dirname(fileURLToPath(import.meta.url)), "..");
export const corpus = join(crate, "..", "..", "corpus");

/** Returns the paths of all files below a folder that are UTF-8 text. */
export function textsBelow(folder) {
  const names = readdirSync(folder).sort();
  return names.flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return textsBelow(path);
    try {
      return [[path, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path))]];
    } catch {
      return [];
    }
  });
}

/** Converts UTF-8 byte offsets to UTF-16 code units, in a different way than the module. */
export function unitsOf(text) {
  const units = new Map();
  let byte = 0;
  let unit = 0;
  for (const character of text) {
    units.set(byte, unit);
    byte += Buffer.byteLength(character);
    unit += character.length;
  }
  units.set(byte, unit);
  return (at) => units.get(at);
}
