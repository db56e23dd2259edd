// Builds the package into pkg/, and the script of the playground beside its page in docs/.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(here, "target");
const pkg = join(here, "pkg");
/** The maximum size of the gzipped module that finds and parses, in bytes. */
const MOST = 512 << 10;

const run = (program, ...args) => execFileSync(program, args, { cwd: here, stdio: ["ignore", "inherit", "inherit"] });

/**
 * wasm-bindgen in exactly the version that Cargo.lock names, because its input format depends on
 * the version.
 */
function wasmBindgen() {
  const lock = readFileSync(join(here, "Cargo.lock"), "utf8");
  const [, version] = lock.match(/name = "wasm-bindgen"\nversion = "(.+)"/);
  const root = join(target, `wasm-bindgen-${version}`);
  const places = ["wasm-bindgen", join(root, "bin", "wasm-bindgen")];
  const isRight = (place) => {
    try {
      const told = execFileSync(place, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
      return told.trim().endsWith(` ${version}`);
    } catch {
      return false;
    }
  };
  const found = places.find(isRight);
  if (found) return found;
  run("cargo", "install", "--quiet", "wasm-bindgen-cli", "--version", version, "--root", root);
  return places[1];
}

rmSync(pkg, { recursive: true, force: true });
mkdirSync(join(pkg, "wasm"), { recursive: true });
const bindgen = wasmBindgen();
for (const module of ["find", "lint"]) {
  run("cargo", "build", "--release", "--locked", "--features", module, "--target-dir", target);
  const built = join(target, "wasm32-unknown-unknown", "release", "urlsift_wasm.wasm");
  run(bindgen, built, "--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section",
    "--out-dir", join(pkg, "wasm"), "--out-name", module);
  const bytes = readFileSync(join(pkg, "wasm", `${module}_bg.wasm`));
  const packed = gzipSync(bytes, { level: 9 }).length;
  console.log(`${module}: ${bytes.length} bytes, ${packed} gzipped`);
  if (module === "find" && packed > MOST) throw new Error(`more than ${MOST} bytes gzipped`);
}
for (const name of readdirSync(join(here, "js"))) copyFileSync(join(here, "js", name), join(pkg, name));
for (const name of ["README.md", "LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(here, name), join(pkg, name));
const { scripts, devDependencies, ...published } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
writeFileSync(join(pkg, "package.json"), JSON.stringify(published, null, 2) + "\n");

if (existsSync(join(here, "node_modules", "esbuild"))) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [join(here, "playground", "main.js")],
    outfile: join(here, "..", "..", "docs", "playground.js"),
    bundle: true,
    minify: true,
    // A page opened from disk can't load modules or fetch files.
    format: "iife",
    loader: { ".wasm": "binary" },
    define: { "import.meta.url": '""' },
    logLevel: "warning",
  });
} else {
  console.log("the playground is left out: its packages are not here (npm ci)");
}
