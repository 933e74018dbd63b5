// Unpacks Chromium with its libraries below TMPDIR and prints the path. It is a separate process,
// because the package reads and sets environment variables at import.
import chromium from "@sparticuz/chromium";

// Pages draw nothing that asks for a graphics card, whose imitation in software is slow.
chromium.setGraphicsMode = false;
process.stdout.write(
  JSON.stringify({ executablePath: await chromium.executablePath(), args: chromium.args }),
);
