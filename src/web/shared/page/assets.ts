import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Hono } from "hono";
import { acceptedCoding } from "../../../api/http/answer.ts";
import type { ApiEnv } from "../../../api/http/deps.ts";
import { must } from "../../../lib/must.ts";

/** The same relative path in the sources and in the build. */
const folder = fileURLToPath(new URL("../../assets/", import.meta.url));

const contentTypes: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

type Bytes = Uint8Array<ArrayBuffer>;
type Coding = "br" | "gzip";

export type Assets = ReturnType<typeof loadAssets>;

/** All style sheets, scripts and pictures of the pages, read once. */
export function loadAssets() {
  const byFile = new Map(readdirSync(folder).map((file) => [file, toAsset(file)]));
  return {
    /** The address of a file of `src/web/assets`. Throws for an unknown name. */
    path: (file: string) => must(byFile.get(file), `the asset ${file}`).path,
    all: [...byFile.values()],
  };
}

function toAsset(file: string) {
  const plain = new Uint8Array(readFileSync(join(folder, file)));
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 12);
  const extension = extname(file);
  const kept: Partial<Record<Coding, Bytes>> = {};
  return {
    /** The path contains a hash of the content, so browsers may cache it for ever. */
    path: `/assets/${file.slice(0, -extension.length)}-${hash}${extension}`,
    contentType: must(contentTypes[extension], `a content type for ${file}`),
    plain,
    /** Compressed when somebody first asks for it, and kept. */
    compressed: (coding: Coding) => (kept[coding] ??= compress(plain, coding)),
  };
}

function compress(plain: Bytes, coding: Coding): Bytes {
  return new Uint8Array(
    coding === "br" ? brotliCompressSync(plain) : gzipSync(plain, { level: 9 }),
  );
}

export function assetRoutes(assets: Assets): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  for (const asset of assets.all) {
    app.get(asset.path, (c) => {
      const headers = {
        "Content-Type": asset.contentType,
        "Cache-Control": "public, max-age=31536000, immutable",
        Vary: "Accept-Encoding",
      };
      const coding = acceptedCoding(c.req.header("Accept-Encoding"), ["br", "gzip"]);
      if (coding === null) return c.body(asset.plain, 200, headers);
      return c.body(asset.compressed(coding), 200, { ...headers, "Content-Encoding": coding });
    });
  }
  return app;
}
