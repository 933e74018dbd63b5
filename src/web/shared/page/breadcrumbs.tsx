import { beginning } from "../format.ts";
import type { Page } from "./page.ts";
import { StructuredData } from "./layout.tsx";

interface Step {
  name: string;
  /** Path and parameters. */
  href: string;
}

/** The way to the page, from the widest list; also for search engines. */
export function Breadcrumbs({ page, steps }: { page: Page; steps: readonly Step[] }) {
  const { m, origin } = page;
  const all = [{ name: m.browse.categories, href: "/categories" }, ...steps];
  const data = {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: all.map(({ name, href }, i) => ({
      "@type": "ListItem",
      position: i + 1,
      name: beginning(name, 100),
      item: `${origin}${href}`,
    })),
  };
  return (
    <nav class="breadcrumbs fine" aria-label={m.browse.way}>
      <ol>
        {all.map(({ name, href }) => (
          <li>
            <a href={href} dir="auto">
              {beginning(name, 60)}
            </a>
          </li>
        ))}
      </ol>
      <StructuredData data={data} />
    </nav>
  );
}
