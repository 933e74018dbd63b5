// Unpacks Chromium with its libraries below TMPDIR and prints the path. It is a separate process,
// because the package reads and sets environment variables at import.
import chromium from "@sparticuz/chromium";

process.stdout.write(
  JSON.stringify({ executablePath: await chromium.executablePath(), args: chromium.args }),
);
