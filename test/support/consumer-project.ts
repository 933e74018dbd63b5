import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

export interface ConsumerProject {
  folder: string;
  /** Compiles the module strictly, declarations of the package included, and answers what it prints. */
  run(source: string, args?: string[]): Promise<string>;
  close(): Promise<void>;
}

/** A project that has installed the package as `npm pack` makes it, with what the client depends on. */
export async function openConsumerProject(): Promise<ConsumerProject> {
  const folder = await mkdtemp(join(tmpdir(), "kurabe-consumer-"));
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "kurabe"), { recursive: true });
  const pack = ["pack", "--ignore-scripts", "--pack-destination", folder];
  const packed = await run("npm", pack, { cwd: root });
  const archive = join(folder, packed.stdout.trim().split("\n").at(-1) ?? "");
  await run("tar", ["-xzf", archive, "-C", join(modules, "kurabe"), "--strip-components=1"]);
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
    await cp(join(root, "node_modules", name), join(modules, name), { recursive: true });
  }
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const options = "--module nodenext --target es2022 --strict --lib es2022,dom,dom.iterable";
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), ...options.split(" "), "site.ts"];
  return {
    folder,
    async run(source, args = []) {
      await writeFile(join(folder, "site.ts"), source);
      await run(process.execPath, tsc, { cwd: folder }).catch((error: { stdout?: string }) => {
        throw new Error(error.stdout);
      });
      return (await run(process.execPath, ["site.js", ...args], { cwd: folder })).stdout;
    },
    close: () => rm(folder, { recursive: true }),
  };
}
