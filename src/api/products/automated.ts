import type { ApiContext } from "../http/deps.ts";

/** Every browser that people use names itself so; programs and libraries mostly do not. */
const browser = /^(Mozilla|Opera)\//;
/**
 * Crawlers, link previews, monitors and remote-controlled browsers that also name themselves so. An
 * address in the name is that of a crawler's operator. CUBOT makes telephones.
 */
const robot =
  /(?<!cu)bot|crawl|spider|slurp|scan|preview|monitor|archive|headless|phantom|lighthouse|pagespeed|inspect|google-|googleother|mediapartners|y!j-|https?:/i;

/**
 * Whether a program and not a person follows a link: a robot, a look at the headers alone, a browser
 * that loads the page in advance, or one that loads it as a part of another page.
 */
export function isAutomated(c: ApiContext): boolean {
  const userAgent = c.req.header("User-Agent") ?? "";
  const purpose = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].map((name) =>
    c.req.header(name),
  );
  const destination = c.req.header("Sec-Fetch-Dest") ?? "document";
  return (
    c.req.method === "HEAD" ||
    !browser.test(userAgent) ||
    robot.test(userAgent) ||
    /prefetch|prerender|preview/i.test(purpose.join()) ||
    destination !== "document"
  );
}
