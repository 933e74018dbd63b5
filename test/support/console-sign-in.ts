import { opsToken, type TestApi } from "./api.ts";

const form = { "Content-Type": "application/x-www-form-urlencoded" };
const sameOrigin = { "Sec-Fetch-Site": "same-origin" };

export interface ConsoleVisit {
  cookie: string;
  formToken: string;
  get(path: string): Promise<Response>;
  /** As a form of the console sends it, with what `headers` say otherwise. */
  post(
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

export async function postForm(
  site: TestApi,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = sameOrigin,
): Promise<Response> {
  const body = new URLSearchParams(fields).toString();
  return site.request(path, { method: "POST", headers: { ...form, ...headers }, body });
}

/** Signs in by the form, as a browser does. */
export async function enterConsole(site: TestApi, token = opsToken): Promise<ConsoleVisit> {
  const answer = await postForm(site, "/ops/sign-in", { token, next: "/ops" });
  const cookie = (answer.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
  const get = (path: string) => site.get(path, { Cookie: cookie, "Accept-Language": "en" });
  const page = await (await get("/ops/audit")).text();
  const formToken = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  return {
    cookie,
    formToken,
    get,
    post: (path, fields = {}, headers = {}) =>
      postForm(
        site,
        path,
        { form_token: formToken, ...fields },
        { Cookie: cookie, "Accept-Language": "en", ...sameOrigin, ...headers },
      ),
  };
}
