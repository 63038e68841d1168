// Bundles the pages into dist/: a script and a style sheet for a node, and for a hall; the typeface, and the licences.
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { build } from "esbuild";

const DIST = "dist";
// Replaces the old pages at the end, so that a failed build keeps them.
const OUT = "dist.new";
const BUNDLED = ["preact", "uqr", "@fontsource-variable/archivo"];

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
await build({
  entryPoints: { app: "src/main.tsx", hall: "src/hall/main.ts" },
  outdir: OUT,
  bundle: true,
  minify: true,
  sourcemap: process.argv.includes("--sourcemap"),
  format: "esm",
  // Languages are loaded on demand; their names contain the digest of the content.
  splitting: true,
  chunkNames: "[name]-[hash]",
  target: ["chrome105", "firefox110", "safari16"],
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".woff2": "file" },
  assetNames: "[name]",
  legalComments: "none",
});
await cp("public", OUT, { recursive: true });

// The names stay the same in every build; the query makes browsers reload changed files.
let page = await readFile("public/index.html", "utf8");
for (const name of ["app.js", "app.css"]) {
  const digest = createHash("sha256")
    .update(await readFile(`${OUT}/${name}`))
    .digest("hex");
  page = page.replace(`/${name}"`, `/${name}?v=${digest.slice(0, 12)}"`);
}
await writeFile(`${OUT}/index.html`, page);

// Compressed versions of the large files, for browsers that accept gzip.
for (const name of (await readdir(OUT)).filter((file) => /\.(js|css)$/.test(file))) {
  await writeFile(`${OUT}/${name}.gz`, await promisify(gzip)(await readFile(`${OUT}/${name}`), { level: 9 }));
}

const licences = await Promise.all(BUNDLED.map(licence));
await writeFile(`${OUT}/licences.txt`, licences.join("\n\n"));

await rm(DIST, { recursive: true, force: true });
await rename(OUT, DIST);

async function licence(name) {
  const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
  for (const file of ["LICENSE", "LICENSE.md"]) {
    const text = await readFile(`node_modules/${name}/${file}`, "utf8").catch(() => null);
    if (text !== null) return `${name} ${version}\n\n${text}`;
  }
  throw new Error(`${name} has no licence file`);
}
