import { bodyLimit } from "hono/body-limit";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import type { ApiContext, Middleware } from "../../../api/http/deps.ts";
import { recordAction } from "../../../api/ops/actions/audit-log.ts";
import { isRevoked, revokeSession } from "../../../api/ops/token-gate.ts";
import type { Operator } from "../../../api/http/operators.ts";
import { Problem, refuse } from "../../../api/http/problems/problem.ts";
import { isSameOrigin } from "../../../api/http/middleware/same-origin.ts";
import { Layout } from "../../shared/page/layout.tsx";
import { sendPage } from "../../shared/page/page.ts";
import { tabAt, tabPaths } from "../shared/frame.tsx";
import { byConsole, openConsole, type ConsoleDeps } from "../shared/ops-page.ts";
import { sessionSeconds, type Session } from "../shared/session.ts";

/**
 * `__Host-`: browsers send it only to this host and only over https. They also accept http on
 * localhost and 127.0.0.1.
 */
const cookieName = "kurabe-ops";
/** 500 keywords of 200 characters, in UTF-8, percent-encoded. */
const maxFormBytes = 1_300_000;

/** Browsers send `Origin` with a form only under this policy. */
export const consoleHeaders = { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };

/** Asks Postgres each time, so that signing out takes effect in all processes at once. */
export async function readSession(c: ApiContext, deps: ConsoleDeps): Promise<Session | null> {
  const session = deps.sessions.read(getCookie(c, cookieName, "host"), deps.clock.now());
  if (session === null || (await isRevoked(deps.opsDb, session))) return null;
  nameOperator(c, deps, session.operator);
  return session;
}

/** For the audit log. */
function nameOperator(c: ApiContext, deps: ConsoleDeps, { name }: Operator): void {
  c.set("operator", { operator: name, address: deps.clientAddress(c) });
}

/** What was typed into a form that came when its session had ended; shown again after the sign-in. */
export type TypedForm = z.infer<typeof typedForm>;
const typedForm = z.object({ at: z.string(), values: z.record(z.string(), z.string()) });

interface AskedToSignIn {
  next: string;
  fault: SignInFault | null;
  typed?: TypedForm | null;
}

/** The sign-in page, shown for every console page while nobody is signed in. */
export function sendSignIn(
  c: ApiContext,
  deps: ConsoleDeps,
  { next, fault, typed = null }: AskedToSignIn,
): Promise<Response> {
  const page = openConsole(c, deps);
  // Browsers do not send a strict cookie when the visitor follows a link from another site.
  const cameFromElsewhere = c.req.header("Sec-Fetch-Site") === "cross-site";
  const content = SignIn({ page, next: knownPath(next), fault, typed, cameFromElsewhere });
  return sendPage(c, page, content, {
    status: fault === "wait" ? 429 : 401,
    headers: consoleHeaders,
  });
}

/** `showTyped` answers with the page that has the form which was typed before. */
export async function signIn(
  c: ApiContext,
  deps: ConsoleDeps,
  showTyped: (session: Session, path: string, typed: TypedForm) => Promise<Response>,
): Promise<Response> {
  const form = await readForm(c);
  const next = knownPath(form.next ?? "");
  const typed = readTyped(form.typed);
  const operator = verifyToken(c, deps, form.token?.trim() ?? "");
  if (typeof operator === "string") return sendSignIn(c, deps, { next, fault: operator, typed });
  const now = deps.clock.now();
  await recordAction(deps.opsDb, byConsole(c), { action: "sign_in" }, now);
  const kept = deps.sessions.start(operator.name, now);
  setCookie(c, cookieName, kept, {
    prefix: "host",
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite: "Strict",
    maxAge: sessionSeconds,
  });
  const session = typed && deps.sessions.read(kept, now);
  return session ? showTyped(session, next, typed) : goTo(c, `${next}?signed_in`);
}

function readTyped(text = ""): TypedForm | null {
  try {
    return typedForm.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function verifyToken(c: ApiContext, { gate }: ConsoleDeps, token: string): Operator | SignInFault {
  try {
    return gate.verify(c, token, "console") ?? "wrong";
  } catch (error) {
    if (error instanceof Problem && error.details.status === 429) return "wait";
    throw error;
  }
}

export async function signOut(c: ApiContext, deps: ConsoleDeps): Promise<Response> {
  const now = deps.clock.now();
  const session = deps.sessions.read(getCookie(c, cookieName, "host"), now);
  if (session !== null) {
    nameOperator(c, deps, session.operator);
    await deps.opsDb.transaction(async (tx) => {
      if (!(await revokeSession(tx, session))) return;
      await recordAction(tx, byConsole(c), { action: "sign_out" }, now);
    });
  }
  deleteCookie(c, cookieName, { prefix: "host", path: "/", secure: true });
  return goTo(c, "/ops");
}

/** Only console pages, so that a forged form cannot redirect to another site. */
function knownPath(path: string): string {
  return tabPaths[tabAt(path) ?? "today"];
}

export function goTo(c: ApiContext, path: string): Response {
  return c.body(null, 303, { ...consoleHeaders, Location: path });
}

/** Accepts only small, form-encoded requests from our own pages. */
export function fromOurPages(): [Middleware, Middleware] {
  return [
    async (c, next) => {
      const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
      if (!isSameOrigin(c) || type !== "application/x-www-form-urlencoded") refuseForgery();
      await next();
    },
    bodyLimit({ maxSize: maxFormBytes }),
  ];
}

export function refuseForgery(): never {
  refuse(403, "csrf_mismatch", "the form does not belong to this session");
}

/** Reads single values; ignores files and repeated fields. */
export async function readForm(c: ApiContext): Promise<Record<string, string>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** `ended`: a form came from who is not signed in any more. */
type SignInFault = "wrong" | "wait" | "noCookie" | "ended";

interface SignInProps extends Required<AskedToSignIn> {
  page: ReturnType<typeof openConsole>;
  cameFromElsewhere: boolean;
}

function SignIn({ page, next, fault, typed, cameFromElsewhere }: SignInProps) {
  const { o, m } = page;
  return (
    <Layout
      page={page}
      title={`${o.signIn.title} – ${m.name}`}
      noindex
      extras={["ops.css"]}
      bodyClass="ops"
      header={null}
    >
      <section class="card sign-in">
        <h1>{o.signIn.title}</h1>
        {fault && (
          <p class="notice warn" role="alert" id="fault">
            {o.signIn[fault]}
          </p>
        )}
        <form method="post" action="/ops/sign-in">
          <input type="hidden" name="next" value={next} />
          {typed && <input type="hidden" name="typed" value={JSON.stringify(typed)} />}
          <label for="token">{o.signIn.token}</label>
          <input
            id="token"
            name="token"
            type="password"
            required
            autocomplete="current-password"
            autocapitalize="off"
            spellcheck={false}
            autofocus
            aria-describedby={fault ? "fault hint" : "hint"}
            {...(fault === "wrong" ? { "aria-invalid": "true" } : {})}
          />
          <p class="fine" id="hint">
            {o.signIn.hint}
          </p>
          <button>{o.signIn.button}</button>
        </form>
        {cameFromElsewhere && (
          <p>
            {o.signIn.elsewhere} <a href={next}>{o.signIn.goOn}</a>
          </p>
        )}
      </section>
    </Layout>
  );
}
