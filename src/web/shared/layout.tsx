import type { Child } from "hono/jsx";
import { languages } from "./language.ts";
import type { Page } from "./page.ts";

interface LayoutProps {
  page: Page;
  title: string;
  description?: string;
  /** Further style sheets and scripts of `src/web/assets`, by file name. */
  extras?: readonly string[];
  /** The header beside the name: the search box, or the console's state. */
  header?: Child;
  /** Asks search engines not to index the page. */
  noindex?: boolean;
  /** The end of the head: structured data. */
  head?: Child;
  bodyClass?: string;
  children: Child;
}

const languageNames = { ja: "日本語", en: "English" } as const;

/** The document of every page. It has no inline scripts or styles. */
export function Layout(props: LayoutProps) {
  const { page, extras = [] } = props;
  const { m, assets, lang } = page;
  const files = ["kurabe.css", "kurabe.js", ...extras];
  return (
    <html lang={lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{props.title}</title>
        {props.description !== undefined && <meta name="description" content={props.description} />}
        {props.noindex && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={assets.path("icon.svg")} type="image/svg+xml" />
        {files.map((file) =>
          file.endsWith(".css") ? (
            <link rel="stylesheet" href={assets.path(file)} />
          ) : (
            <script type="module" src={assets.path(file)} />
          ),
        )}
        {props.head}
      </head>
      <body class={props.bodyClass}>
        <a class="skip" href="#main">
          {m.skip}
        </a>
        <header class="top">
          <a class="brand" href="/">
            <img src={assets.path("icon.svg")} alt="" width="28" height="28" />
            <span>{m.name}</span>
          </a>
          {props.header}
          <nav class="languages" aria-label={m.language}>
            {languages.map((language) =>
              language === lang ? (
                <span lang={language} aria-current="true">
                  {languageNames[language]}
                </span>
              ) : (
                <a lang={language} hreflang={language} href={inLanguage(page.url, language)}>
                  {languageNames[language]}
                </a>
              ),
            )}
          </nav>
        </header>
        <main id="main" tabindex={-1}>
          {props.children}
        </main>
        <footer class="bottom">
          <p>{m.footer}</p>
          <p>
            <a href="/alerts">{m.alerts.title}</a> <a href="/docs">{m.api}</a>
          </p>
        </footer>
      </body>
    </html>
  );
}

function inLanguage(url: URL, language: string): string {
  const parameters = new URLSearchParams(url.searchParams);
  parameters.set("lang", language);
  return `${url.pathname}?${parameters.toString()}`;
}
