import { raw } from "hono/html";

/** Data for search engines. W5: escaped, so that it cannot end the element or begin a comment. */
export function StructuredData({ data }: { data: object }) {
  const json = JSON.stringify(data).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return <script type="application/ld+json">{raw(json)}</script>;
}
