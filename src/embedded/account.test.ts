import { describe, expect, it } from "vitest";
import { asAccount, parsePasswd } from "./account.ts";

const command = { file: "/opt/postgres", args: ["-D", "/data"], env: {} };
const account = { name: "nobody", uid: 65534, gid: 65533, needsPassage: false };

describe("the account that runs Postgres", () => {
  it("is ourselves where we are not root", () => {
    expect(asAccount(null, command)).toEqual(command);
  });

  it("takes over before the server's first instruction", () => {
    expect(asAccount(account, command)).toEqual({ ...command, uid: 65534, gid: 65533 });
  });

  it("is lent the one capability to pass closed folders, and none of root's groups", () => {
    const { file, args, uid } = asAccount({ ...account, needsPassage: true }, command);
    expect(file).toBe("setpriv");
    expect(uid).toBeUndefined();
    expect(args).toEqual([
      "--reuid=65534",
      "--regid=65533",
      "--clear-groups",
      "--inh-caps=+dac_override",
      "--ambient-caps=+dac_override",
      "--securebits=+no_setuid_fixup",
      "--",
      "/opt/postgres",
      "-D",
      "/data",
    ]);
  });

  it("is read from the user database, whatever else stands there", () => {
    const text = "root:x:0:0:root:/root:/bin/sh\n# comment\n\npostgres:x:101:104:,,,:/var:/bin/sh";
    expect(parsePasswd(text)).toEqual([
      { name: "root", uid: 0, gid: 0 },
      { name: "postgres", uid: 101, gid: 104 },
    ]);
  });
});
