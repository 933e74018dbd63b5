import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { z } from "zod";

/** The looks in which every page must fit and be accessible. */
export const looks: readonly BrowserContextOptions[] = [
  { viewport: { width: 320, height: 700 }, colorScheme: "dark", locale: "ja-JP" },
  { viewport: { width: 1280, height: 800 }, colorScheme: "light", locale: "en-GB" },
];

/** Half as long as the source that the package exports, which each page reads anew. */
const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const results = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

/** The faults that axe-core finds on the page: rule and place, one per line. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = results.parse(
    await page.evaluate('axe.run({ resultTypes: ["violations"], selectors: false })'),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** How many pixels the content is wider than the page. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
}

/**
 * What the document lacks for its readers, beside what axe-core looks for: one main heading and no
 * skipped level, the landmarks, a title and a language, names of fields, links and buttons, and pictures
 * whose place is known before they load.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(readFaults));
}

const readFaults = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const faults = [];
  const one = (selector, name = selector) => {
    const found = all(selector).length;
    if (found !== 1) faults.push(found + " " + name);
  };
  one("h1");
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) faults.push("h" + next + " after h" + level + ": " + heading.textContent.trim());
    level = next;
  }
  one("main");
  one("body > header", "header");
  one("body > footer", "footer");
  if (document.title.trim() === "") faults.push("no title");
  if (document.documentElement.lang === "") faults.push("no language");
  if (!document.querySelector('meta[name="viewport"][content*="width=device-width"]')) faults.push("no viewport");
  const tagOf = (element) => element.tagName.toLowerCase();
  const nameOf = (element) =>
    [
      element.getAttribute("aria-label"),
      ...(element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent),
      ...[...(element.labels ?? [])].map((label) => label.textContent),
      tagOf(element) === "a" || tagOf(element) === "button" ? element.textContent : "",
      ...[...element.querySelectorAll("img")].map((image) => image.alt),
    ].join("").trim();
  for (const element of all("input:not([type=hidden]), select, textarea, a[href], button")) {
    if (nameOf(element) === "") faults.push("no name: " + tagOf(element));
  }
  for (const image of all("img")) {
    if (!image.hasAttribute("width") || !image.hasAttribute("height")) faults.push("no size: img");
    if (!image.hasAttribute("alt")) faults.push("no alt: img");
  }
  return faults;
})()`;
