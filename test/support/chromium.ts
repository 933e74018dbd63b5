import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";
import { z } from "zod";
import { until } from "./until.ts";

/**
 * Flags for a runtime with one process and one page. They end the browser with its first context and
 * weaken its rules.
 */
const unwanted = new Set([
  "--single-process",
  "--no-zygote",
  "--disable-web-security",
  "--allow-running-insecure-content",
]);

/** Its imitation in software takes time, and pages need none. */
const noGraphicsCard = ["--disable-gpu", "--disable-software-rasterizer"];

const unpacked = z.object({ executablePath: z.string(), args: z.array(z.string()) });

/**
 * Starts the Chromium of the lockfile, which the first caller unpacks below `dir`. The caller closes
 * it. It has its own libraries, so nothing needs to be installed.
 */
export async function launchChromium(dir: string): Promise<Browser> {
  const home = join(dir, "chromium-home");
  const done = join(home, "unpacked.json");
  if (await isMine(home)) await unpack(home, done);
  else await until(() => existsSync(done), { what: "Chromium to be unpacked" });
  const { executablePath, args } = unpacked.parse(JSON.parse(await readFile(done, "utf8")));
  return chromium.launch({
    executablePath,
    args: [...args.filter((arg) => !unwanted.has(arg)), ...noGraphicsCard],
    headless: true,
    env: {
      ...process.env,
      HOME: home,
      FONTCONFIG_PATH: join(home, "fonts"),
      LD_LIBRARY_PATH: join(home, "al2023", "lib"),
    },
  });
}

let ofWorker: Promise<Browser> | undefined;

/**
 * The Chromium of this worker, which takes seconds to start: its first test of pages does that, and it ends with
 * the worker. Files close what they have opened in it by `closeContexts`.
 */
export function openChromium(dir: string): Promise<Browser> {
  return (ofWorker ??= launchChromium(dir));
}

export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Only one of all processes creates the folder. */
async function isMine(home: string): Promise<boolean> {
  try {
    await mkdir(home);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function unpack(home: string, done: string): Promise<void> {
  const script = fileURLToPath(new URL("unpack-chromium.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script], {
    // The package unpacks its libraries only if it detects this runtime.
    env: { ...process.env, TMPDIR: home, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  });
  await writeFile(join(home, "fonts", "fonts.conf"), fontsConf(home));
  await writeFile(`${done}.tmp`, stdout);
  await rename(`${done}.tmp`, done);
}

/**
 * The package's own font settings name folders of its runtime. Without a font Chromium draws no text,
 * or crashes.
 */
function fontsConf(home: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, "fonts")}</dir>
  <cachedir>${join(home, "fonts-cache")}</cachedir>
</fontconfig>
`;
}
