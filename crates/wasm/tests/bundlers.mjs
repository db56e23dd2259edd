// Builds a page with each bundler as docs/src/guides/javascript.md describes it, and opens it in
// Chromium; also a page of Vite's development server, and one with an import map. Runs a program in Deno. Run it with `node tests/bundlers.mjs FOLDER`, where FOLDER
// contains `node_modules` with the bundlers and `urlsift`.

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";

const folder = process.argv[2];
const chromium = process.argv[3];
const run = (program, ...args) => execFileSync(join(folder, "node_modules", ".bin", program), args, { cwd: folder, stdio: "inherit" });

const show = `document.body.dataset.found = find("at <URL:http://host.dom/a-\\n b>").map(({ href }) => href).join(" ");\n`;
/** For bundlers that find the WebAssembly file by themselves. */
const plain = `import init, { find } from "urlsift";\nawait init();\n${show}`;
/** For bundlers that leave the file out unless it is imported. */
const withModule = `import init, { find } from "urlsift";\nimport module_or_path from "urlsift/find.wasm";\nawait init({ module_or_path });\n${show}`;

const page = (script) => `<!DOCTYPE html>\n<meta charset="utf-8">\n<title>test</title>\n<body><script type="module" src="${script}"></script></body>\n`;

const bundlers = {
  esbuild: { main: withModule, build: () => run("esbuild", "main.js", "--bundle", "--format=esm", "--loader:.wasm=file", "--outdir=out") },
  rollup: {
    main: withModule,
    config: ["rollup.config.mjs", `import resolve from "@rollup/plugin-node-resolve";
import url from "@rollup/plugin-url";
export default { input: "main.js", output: { dir: "out", format: "es" }, plugins: [resolve({ browser: true }), url({ include: ["**/*.wasm"], limit: 0 })] };
`],
    build: () => run("rollup", "-c", "rollup.config.mjs"),
  },
  vite: { main: plain, index: "main.js", build: () => run("vite", "build", "--outDir", "out", "--logLevel", "warn") },
  webpack: { main: plain, build: () => run("webpack", "--mode=production", "--entry=./main.js", "--output-path=out") },
};

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Opens a page in Chromium, and returns what it contains in the end. */
async function opened(address) {
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"];
  const { stdout } = await promisify(execFile)(chromium, [...args, address]);
  return stdout;
}

/** Serves a folder, and returns its page as Chromium shows it. */
async function served(directory) {
  const server = createServer((request, response) => {
    try {
      const bytes = readFileSync(join(directory, request.url === "/" ? "index.html" : request.url));
      response.setHeader("Content-Type", types[extname(request.url)] ?? "text/html");
      response.end(bytes);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const shown = await opened(`http://127.0.0.1:${server.address().port}/`);
  server.close();
  return shown;
}

const expected = /data-found="http:\/\/host\.dom\/a-b"/;

for (const [name, { main, config, index, build }] of Object.entries(bundlers)) {
  execFileSync("rm", ["-rf", "out"], { cwd: folder });
  writeFileSync(join(folder, "main.js"), main);
  if (config) writeFileSync(join(folder, config[0]), config[1]);
  writeFileSync(join(folder, "index.html"), page("./main.js"));
  build();
  if (!index) {
    mkdirSync(join(folder, "out"), { recursive: true });
    writeFileSync(join(folder, "out", "index.html"), page("./main.js"));
  }
  assert.match(await served(join(folder, "out")), expected, name);
  console.log(`${name}: found in Chromium`);
}

writeFileSync(join(folder, "main.js"), plain);
writeFileSync(join(folder, "index.html"), page("./main.js"));
const vite = spawn(join(folder, "node_modules", ".bin", "vite"), ["--host", "127.0.0.1"], { cwd: folder, env: { ...process.env, NO_COLOR: "1" } });
let printed = "";
while (!/http:\S+/.test(printed)) printed += (await once(vite.stdout, "data"))[0];
assert.match(await opened(printed.match(/http:\S+/)[0]), expected, "the development server of Vite");
vite.kill();
console.log("the development server of Vite: found in Chromium");

const guide = readFileSync(new URL("../../../docs/src/guides/javascript.md", import.meta.url), "utf8");
writeFileSync(join(folder, "index.html"), page("./main.js").replace("<body>", guide.match(/<script type="importmap">.*<\/script>/)[0] + "<body>"));
assert.match(await served(folder), expected, "import map");
console.log("import map: found in Chromium");

writeFileSync(join(folder, "main.js"), `import { find } from "urlsift";\nconsole.log(find("at http://host.dom/a.")[0].url);\n`);
const found = execFileSync(join(folder, "node_modules", ".bin", "deno"), ["run", "--allow-read", "main.js"], { cwd: folder, encoding: "utf8" });
assert.equal(found, "http://host.dom/a\n");
console.log("deno: found");
