import { readFile, stat } from "node:fs/promises";
import { EmbeddedError } from "./errors.ts";
import { runCommand, type Command } from "./launch.ts";
import { unlessMissing } from "../lib/files.ts";

/**
 * The user that runs Postgres. Postgres refuses root, so a root process needs another user; null: the
 * present user.
 */
export interface Account {
  name: string;
  uid: number;
  gid: number;
  /** Whether it needs the capability to pass folders that are closed to it. */
  needsPassage: boolean;
}

export function asAccount(account: Account | null, command: Command): Command {
  if (!account) return command;
  const { uid, gid } = account;
  if (!account.needsPassage) return { ...command, uid, gid };
  const lent = "+dac_override";
  const flags = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  flags.push(`--inh-caps=${lent}`, `--ambient-caps=${lent}`);
  // Otherwise access(2), which Postgres uses to find its files, ignores the capability.
  flags.push("--securebits=+no_setuid_fixup");
  return { ...command, file: "setpriv", args: [...flags, "--", command.file, ...command.args] };
}

/**
 * Chooses the user that runs Postgres: the present user, or if that is root, the owner of an existing
 * cluster, `postgres` or `nobody`.
 */
export async function chooseAccount(clusterDir: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) {
    await mustBeOurs(clusterDir);
    return null;
  }
  const owner = await ownerOf(clusterDir);
  if (owner && owner.uid !== 0) {
    return { name: `with uid ${owner.uid}`, ...owner, needsPassage: false };
  }
  const known = parsePasswd(await readFile("/etc/passwd", "utf8"));
  const chosen =
    known.find((user) => user.name === "postgres") ?? known.find((user) => user.name === "nobody");
  if (!chosen) {
    throw new EmbeddedError(
      "Postgres does not run as root and there is no user postgres or nobody: start Kurabe as another user, or set DATABASE_URL",
    );
  }
  return { ...chosen, needsPassage: false };
}

/** Throws if somebody else's folder is there: a server of ours would leave files that its owner cannot use. */
export async function mustBeOurs(folder: string): Promise<void> {
  const owner = await ownerOf(folder);
  if (owner && owner.uid !== process.getuid?.()) {
    throw new EmbeddedError(
      `${folder} belongs to another user (uid ${owner.uid}): start Kurabe as that user, or set another DATA_DIR`,
    );
  }
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  const owner = await unlessMissing(stat(path));
  return owner && { uid: owner.uid, gid: owner.gid };
}

export function parsePasswd(text: string): Omit<Account, "needsPassage">[] {
  return text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/**
 * Makes sure that the account can reach `dir` and run the programs beside `initdb`. A checkout or a
 * DATA_DIR is often below a folder that only root may enter. Then the account gets the capability to
 * pass folders, and nothing else, with setpriv of util-linux.
 */
export async function grantPassage(
  account: Account | null,
  paths: { dir: string; initdb: string },
  env: Record<string, string>,
): Promise<Account | null> {
  if (!account) return null;
  // `--show` changes nothing, but has to find the server and its files like a start.
  const script = 'cd -- "$1" && exec "$2" --show -U probe -D "$1"';
  const probe = { file: "/bin/sh", args: ["-c", script, "sh", paths.dir, paths.initdb], env };
  const outputs: string[] = [];
  for (const needsPassage of [false, true]) {
    const candidate = { ...account, needsPassage };
    const result = await runCommand({ ...asAccount(candidate, probe), timeoutMs: 15_000 });
    if (result.code === 0) return candidate;
    outputs.push(result.output.trim());
  }
  throw new EmbeddedError(
    `Postgres runs as the user ${account.name}, because it refuses root; this user cannot reach ${paths.dir} or run ${paths.initdb}: move the folder out of closed directories, start Kurabe as another user, or set DATABASE_URL\n${outputs.join("\n")}`,
  );
}
