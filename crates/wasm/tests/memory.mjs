// Calls each function CALLS times as a warm-up, and then CALLS times again. Fails if memory grows in the second round.
// Run it with `node --expose-gc tests/memory.mjs [CALLS]`.

/** The memories of the WebAssembly modules. */
const memories = [];
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...given) {
    super(...given);
    memories.push(this.exports.memory);
  }
};
const { Scanner, find, parse } = await import("../pkg/find-node.js");
const { Linter, fix, lint } = await import("../pkg/lint-node.js");
if (memories.length !== 2) throw new Error("the memory of the modules is not known");

/** The maximum growth of the resident memory and of the memory of the modules, in bytes. */
const MAX_GROWTH = 5_000_000;
const calls = Number(process.argv[2] ?? 1_000_000);
const text = "See <URL:http://host.dom/a> and http://Host.dom/%7eb.";

const scanner = new Scanner();

const functions = {
  find: () => find(text),
  "find with options": () => find(text, { profile: "rfc3986" }),
  Match: () => {
    const [, match] = find(text);
    return [match.normalized, match.href, match.scheme, match.host];
  },
  "find with many options": (i) => find(text, { scheme: `s${i % 100}` }),
  Scanner: () => new Scanner().free(),
  "Scanner.find": () => scanner.find(text),
  "an invalid option": () => {
    try {
      find(text, { profile: "rfc9" });
    } catch {}
  },
  parse: () => parse("http://host.dom/%7ea"),
  lint: () => lint(text, { dialect: "markdown" }),
  fix: () => fix(text),
  Linter: () => new Linter().free(),
};

const reserved = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);

/** Calls a function `count` times. Returns to the event loop at times, so that finalizers run. */
async function repeat(call, count) {
  for (let i = 0; i < count; i++) {
    call(i);
    if (i % 1000 === 999) await new Promise(setImmediate);
  }
}

/** Returns the resident memory after garbage collections. Waits after each, because finalizers only run then. */
const resident = async () => {
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise(setImmediate);
  }
  return process.memoryUsage.rss();
};

for (const [name, call] of Object.entries(functions)) {
  await repeat(call, calls);
  const [before, reservedBefore] = [await resident(), reserved()];
  const start = performance.now();
  await repeat(call, calls);
  const [grown, reservedMore] = [(await resident()) - before, reserved() - reservedBefore];
  console.log(`${name}: ${calls} calls, ${(performance.now() - start).toFixed()} ms, ${grown} bytes more, ${reservedMore} in the modules`);
  if (Math.max(grown, reservedMore) > MAX_GROWTH) process.exitCode = 1;
}
