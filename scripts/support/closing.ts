const open: (() => Promise<unknown>)[] = [];

/** Does the work, then closes what it uses: also if the script is interrupted, or nobody reads its output any more. */
export async function closing<T>(
  close: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  listen();
  open.push(close);
  try {
    return await work();
  } finally {
    const at = open.indexOf(close);
    // Interrupted: all is being closed already, and then the process ends.
    if (at < 0) await new Promise(() => {});
    open.splice(at, 1);
    await close();
  }
}

let ending: Promise<void> | undefined;
const interrupt = () => void (ending ??= closeAll());

/** Only scripts that have something open are ended here. */
function listen(): void {
  if (process.listeners("SIGINT").includes(interrupt)) return;
  // Not once: the programs that start a script pass the signal on, so it comes several times.
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, interrupt);
  process.stdout.on("error", interrupt);
}

/** What was opened last first. */
async function closeAll(): Promise<void> {
  for (const close of open.splice(0).toReversed()) await close();
  process.exit(1);
}
