import type { Child } from "hono/jsx";

export const styles = `
:root { color-scheme: light dark; --line: #8884; --mark: #b45309; }
body { font: 16px/1.6 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem; max-width: 76rem; }
main.narrow { max-width: 26rem; margin: 2rem auto; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
code { font-size: .85em; overflow-wrap: anywhere; }
ul.plain { list-style: none; margin: 0; padding: 0; }
.assumed { color: var(--mark); font-weight: 600; }
.wide { overflow-x: auto; }
.fault { border: 1px solid var(--mark); padding: .6rem 1rem; }
label { display: block; margin: 1rem 0 .25rem; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; }
button { font: inherit; padding: .5rem 1.2rem; margin: 1.2rem .6rem 0 0; }
`;

/** Where the style sheet is served. */
export const stylesPath = "/sandbox.css";

export function Layout(props: { title: string; lang: "ja" | "en"; children: Child }) {
  return (
    <html lang={props.lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{props.title}</title>
        <link rel="stylesheet" href={stylesPath} />
        <link rel="icon" href="data:," />
      </head>
      <body>{props.children}</body>
    </html>
  );
}

/**
 * No scripts, no frames, nothing from other sites. Without `form-action`, because browsers also apply
 * it to the redirect after a form, which leads to the application.
 */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

export function page(
  content: { toString(): string },
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(`<!doctype html>${content.toString()}`, {
    status,
    headers: { ...pageHeaders, ...headers },
  });
}
