// Unpacks Chromium with the libraries it needs below TMPDIR and prints where it is. A process of its
// own: the package sets variables of the process that imports it, and looks for these two at once.
import chromium from "@sparticuz/chromium";

process.stdout.write(
  JSON.stringify({ executablePath: await chromium.executablePath(), args: chromium.args }),
);
