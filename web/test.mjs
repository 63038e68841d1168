// Bundles the unit tests of what is not a page, and runs them in Node.
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const out = await mkdtemp(join(tmpdir(), "oche-web-"));
const files = (await readdir("tests")).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: files.map((name) => `tests/${name}`),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  // The pages' own globals, for modules that look at their address when they are loaded.
  jsx: "automatic",
  jsxImportSource: "preact",
});
const { status } = spawnSync(
  process.execPath,
  ["--test", "--test-timeout=20000", ...files.map((name) => join(out, name.replace(".ts", ".mjs")))],
  {
    stdio: "inherit",
  },
);
await rm(out, { recursive: true });
process.exit(status ?? 1);
