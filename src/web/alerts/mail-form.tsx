import type { MailChoice } from "../../alerts/mail/address.ts";
import { Layout } from "../shared/page/layout.tsx";
import type { Page } from "../shared/page/page.ts";
import { textsOf, type Form } from "./read-form.ts";

const choices = ["daily", "weekly"] as const;

/** Where digests go, and how often. */
export function MailForm(props: { page: Page; kept: string; mail: MailChoice; typed: Form }) {
  const { page, kept, mail, typed } = props;
  const { m } = page;
  const [email = mail.email ?? ""] = textsOf(typed, "email");
  const [chosen = mail.digest === "none" ? "daily" : mail.digest] = textsOf(typed, "choice");
  return (
    <section class="card part" id="mail" aria-labelledby="mail-title">
      <h2 id="mail-title">{m.alerts.mail}</h2>
      {mail.email !== null && (
        <p class="quiet">
          {mail.isConfirmed ? m.alerts.mailGoesTo(mail.email) : m.alerts.mailWaits(mail.email)}
        </p>
      )}
      <form method="post" action={`/alerts/mail${kept}`} class="actions">
        <input
          type="email"
          name="email"
          aria-label={m.alerts.mailAddress}
          placeholder={m.alerts.mailAddress}
          maxlength={254}
          required
          value={email}
        />
        <select name="choice" aria-label={m.alerts.mailHowOften}>
          {choices.map((choice) => (
            <option value={choice} selected={choice === chosen}>
              {m.alerts.mailChoices[choice]}
            </option>
          ))}
        </select>
        <button type="submit">{m.alerts.save}</button>
      </form>
      {mail.email !== null && (
        <form method="post" action={`/alerts/mail${kept}`}>
          <input type="hidden" name="choice" value="none" />
          <button type="submit" class="plain">
            {m.alerts.mailEnd}
          </button>
        </form>
      )}
    </section>
  );
}

/** What is to be done with a button, since programs that open every link of a mail press none; or that it is done. */
export type Step = "confirm" | "confirmed" | "end" | "ended";

/** What a link in a mail leads to. */
export function MailStep({ page, step }: { page: Page; step: Step }) {
  const { m } = page;
  return (
    <Layout page={page} title={`${m.alerts.title} – ${m.name}`} noindex header={null}>
      <div class="notice-page">
        <h1>{m.alerts.mail}</h1>
        <p role="status">{m.alerts.mailSteps[step]}</p>
        {(step === "confirm" || step === "end") && (
          <form method="post">
            <button type="submit">{m.alerts.mailButtons[step]}</button>
          </form>
        )}
      </div>
    </Layout>
  );
}
