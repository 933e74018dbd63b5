/** A form of a page, as a browser would send it. */
export interface Form {
  method: "GET" | "POST";
  action: string;
  fields: ReadonlyMap<string, string>;
}

const unescaped = (text: string) =>
  text
    .replaceAll("&amp;", "&")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");

function attributesOf(tag: string): Map<string, string> {
  return new Map(
    [...tag.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      unescaped(value),
    ]),
  );
}

const within = (address: string, page: string) => {
  const url = new URL(address, new URL(page, "http://site"));
  return url.origin === "http://site" ? url.pathname + url.search : null;
};

/** Addresses of the same site. */
export function readLinks(html: string, page: string): string[] {
  return [...html.matchAll(/<a [^>]*>/g)].flatMap(([tag]) => {
    const href = attributesOf(tag).get("href");
    return (href !== undefined && within(href, page)) || [];
  });
}

export function readForms(html: string, page: string): Form[] {
  return [...html.matchAll(/(<form[^>]*>)(.*?)<\/form>/gs)].flatMap(([, tag = "", inside = ""]) => {
    const form = attributesOf(tag);
    const fields = new Map<string, string>();
    for (const [field] of inside.matchAll(/<(?:input|select|textarea|button)[^>]*>/g)) {
      const { name, value } = Object.fromEntries(attributesOf(field));
      if (name !== undefined) fields.set(name, value ?? "");
    }
    const method = form.get("method") === "post" ? "POST" : "GET";
    const action = within(form.get("action") ?? page, page);
    return action === null ? [] : [{ method, action, fields }];
  });
}
