import { Layout } from "../../shared/layout.tsx";
import type { openConsole } from "../shared/ops-page.ts";

export type SignInFault = "wrong" | "wait" | "noCookie";

interface SignInProps {
  page: ReturnType<typeof openConsole>;
  next: string;
  fault: SignInFault | null;
  cameFromElsewhere: boolean;
}

export function SignIn({ page, next, fault, cameFromElsewhere }: SignInProps) {
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
