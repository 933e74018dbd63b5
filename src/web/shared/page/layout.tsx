import type { Child } from "hono/jsx";
import { languages } from "../../../lib/languages.ts";
import type { Page } from "./page.ts";
import { SearchBox } from "./search-box.tsx";
import { raw } from "hono/html";

interface LayoutProps {
  page: Page;
  title: string;
  description?: string;
  /** Further style sheets and scripts of `src/web/assets`, by file name. */
  extras?: readonly string[];
  /** The header beside the name: the console's tabs, or null for nothing; otherwise an empty search box. */
  header?: Child;
  /** Path and parameters under which search engines are to know the page. */
  canonical?: string;
  /** What is shown where somebody links to the page. */
  image?: string | null;
  /** Asks search engines not to index the page. */
  noindex?: boolean;
  /** The end of the head: structured data. */
  head?: Child;
  bodyClass?: string;
  children: Child;
}

/** The title of a page of a list, which tells those after the first apart. */
export function titleOfPage({ m }: Page, title: string, number: number): string {
  return [title, ...(number > 1 ? [m.search.pageNumber(number)] : []), m.name].join(" – ");
}

const languageNames = { ja: "日本語", en: "English" } as const;

/** The document of every page. It has no inline scripts or styles. */
export function Layout(props: LayoutProps) {
  const { page, extras = [], header = <SearchBox page={page} q="" /> } = props;
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
        {props.canonical !== undefined && !props.noindex && <Canonical {...props} />}
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
          {header}
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
          <nav aria-label={m.siteLinks}>
            <a href="/categories">{m.browse.categories}</a> <a href="/shops">{m.browse.shops}</a>{" "}
            <a href="/price-drops">{m.browse.priceDrops}</a>{" "}
            <a href="/?sort=first_seen%3Adesc">{m.browse.newest}</a>{" "}
            <a href="/alerts">{m.alerts.title}</a> <a href="/docs">{m.api}</a>
          </nav>
        </footer>
      </body>
    </html>
  );
}

/** One address for each page and language, and what others show of it. */
function Canonical({ page, title, description, canonical = "/", image }: LayoutProps) {
  const { origin, lang } = page;
  const href = `${origin}${canonical}`;
  const inLang = (language: string) =>
    `${href}${canonical.includes("?") ? "&" : "?"}lang=${language}`;
  const own = page.url.searchParams.get("lang") === lang ? inLang(lang) : href;
  return (
    <>
      <link rel="canonical" href={own} />
      {languages.map((language) => (
        <link rel="alternate" hreflang={language} href={inLang(language)} />
      ))}
      <link rel="alternate" hreflang="x-default" href={href} />
      <meta property="og:site_name" content={page.m.name} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:url" content={own} />
      <meta property="og:locale" content={lang === "ja" ? "ja_JP" : "en_GB"} />
      {description !== undefined && <meta property="og:description" content={description} />}
      {image && <meta property="og:image" content={image} />}
    </>
  );
}

function inLanguage(url: URL, language: string): string {
  const parameters = new URLSearchParams(url.searchParams);
  parameters.set("lang", language);
  return `${url.pathname}?${parameters.toString()}`;
}

/** Data for search engines. W5: escaped, so that it cannot end the element or begin a comment. */
export function StructuredData({ data }: { data: object }) {
  const json = JSON.stringify(data).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return <script type="application/ld+json">{raw(json)}</script>;
}
