import type { MailChoice } from "../../alerts/mail/address.ts";
import { toHeadline } from "../../alerts/event-text.ts";
import type { AlertEvent } from "../../alerts/events.ts";
import type { StoredSavedSearch } from "../../alerts/saved-searches.ts";
import { problemText } from "../../api/http/problems/problem-language.ts";
import type { ParameterFault } from "../../api/http/problems/problem.ts";
import { Ago } from "../shared/ago.tsx";
import { beginning } from "../shared/format.ts";
import { Layout } from "../shared/page/layout.tsx";
import type { Page } from "../shared/page/page.ts";
import { TellMe } from "../shared/product/tell-me.tsx";
import { MailForm } from "./mail-form.tsx";
import { textsOf, watchedIn, type Form } from "./read-form.ts";

/** Of each saved search. */
export const shownEvents = 10;

export interface AlertsPageProps {
  page: Page;
  /** null: this browser has no alerts. */
  own: {
    /** The address that leads back here from any browser. */
    address: string;
    /** The parameters of forms; with the secret where the browser keeps no cookie. */
    kept: string;
    searches: readonly StoredSavedSearch[];
    events: readonly AlertEvent[];
    /** null: this site sends no mails. */
    mail: MailChoice | null;
  } | null;
  /** What is wrong with a form that was sent. */
  faults?: readonly ParameterFault[];
  /** The form that was sent, to be corrected. */
  typed?: Form;
  /** New addresses of feeds, which are shown once. */
  feeds?: { savedSearchId: number; atom: string; json: string } | null;
}

/** Everything that a visitor has asked to be told of, and what was told. */
export function AlertsPage({ page, own, faults = [], typed = {}, feeds = null }: AlertsPageProps) {
  const { m } = page;
  const fields = new Map([
    ["rules", m.alerts.tellMe],
    ["rules.price", m.alerts.targetPrice],
    ["email", m.alerts.mailAddress],
    ["choice", m.alerts.mailHowOften],
    ["form", m.alerts.title],
  ]);
  return (
    <Layout page={page} title={`${m.alerts.title} – ${m.name}`} noindex>
      <h1>{m.alerts.title}</h1>
      {faults.length > 0 && (
        <div class="notice warn" role="alert">
          <p>{m.alerts.refused}</p>
          <ul>
            {faults.map(({ parameter, message }) => (
              <li>
                {fields.get(parameter) ?? <code>{parameter}</code>}:{" "}
                {problemText(message, page.lang)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <TypedAlert page={page} form={typed} />
      {own === null ? (
        <p>{m.alerts.none}</p>
      ) : (
        <>
          <p class="notice">
            {own.kept === "" ? m.alerts.keep : m.alerts.keepWithoutCookie}{" "}
            <a href={own.address}>{m.alerts.address}</a>
          </p>
          {own.searches.map((search) => (
            <Search
              page={page}
              kept={own.kept}
              search={search}
              events={own.events.filter((one) => one.savedSearchId === search.savedSearchId)}
              feeds={feeds?.savedSearchId === search.savedSearchId ? feeds : null}
            />
          ))}
          {own.searches.length === 0 && <p>{m.alerts.none}</p>}
          {own.mail && <MailForm page={page} kept={own.kept} mail={own.mail} typed={typed} />}
          <details class="card part">
            <summary>{m.alerts.deleteAll}</summary>
            <form method="post" action={`/alerts/delete${own.kept}`}>
              <button type="submit" class="plain">
                {m.alerts.deleteAllReally}
              </button>
            </form>
          </details>
        </>
      )}
    </Layout>
  );
}

/** The form of `TellMe` as somebody has filled it in, to be corrected; nothing for other forms. */
function TypedAlert({ page, form }: { page: Page; form: Form }) {
  const watched = watchedIn(form).flatMap(({ parameter, given }) =>
    given.map((value) => [parameter, value] as const),
  );
  if (watched.length === 0) return null;
  const [name = ""] = textsOf(form, "name");
  const [price = ""] = textsOf(form, "price");
  const chosen = textsOf(form, "rule");
  return <TellMe isOpen {...{ page, watched, name, chosen, price }} />;
}

interface SearchProps {
  page: Page;
  kept: string;
  search: StoredSavedSearch;
  /** Newest first. */
  events: readonly AlertEvent[];
  feeds: { atom: string; json: string } | null;
}

function Search({ page, kept, search, events, feeds }: SearchProps) {
  const { m, lang } = page;
  const id = `s${search.savedSearchId}`;
  const action = `/alerts/${search.savedSearchId}${kept}`;
  const about = <span class="hidden">: {search.name}</span>;
  return (
    <section class="card part alert" id={id} aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`} dir="auto">
        <a href={hrefOf(search)}>{search.name}</a>{" "}
        {search.isPaused && <span class="tag">{m.alerts.paused}</span>}
      </h2>
      <ul class="rules">
        {search.rules.map((rule) => (
          <li>
            {m.alerts.kinds[rule.kind]}
            {rule.kind === "price_below" && ` ${page.money(rule.price)}`}
          </li>
        ))}
      </ul>
      {events.length === 0 ? (
        <p class="quiet">{m.alerts.nothingYet}</p>
      ) : (
        <ul>
          {events.map((event) => (
            <li>
              <a href={`/products/${event.itemId}`} dir="auto">
                {beginning(toHeadline(event, { lang, currency: page.market.currency }), 160)}
              </a>{" "}
              <Ago page={page} at={event.at} class="fine" />
            </li>
          ))}
        </ul>
      )}
      {feeds && (
        <p class="notice">
          {m.alerts.feedsOnce} <a href={`${feeds.atom}?lang=${lang}`}>Atom</a>{" "}
          <a href={`${feeds.json}?lang=${lang}`}>JSON Feed</a>
        </p>
      )}
      <form method="post" action={action} class="actions">
        <button
          type="submit"
          class="plain"
          name="action"
          value={search.isPaused ? "go_on" : "pause"}
        >
          {search.isPaused ? m.alerts.goOn : m.alerts.pause}
          {about}
        </button>
        <button
          type="submit"
          class="plain"
          name="action"
          value="feeds"
          formaction={`${action}#${id}`}
        >
          {m.alerts.newFeeds}
          {about}
        </button>
        <button type="submit" class="plain" name="action" value="delete">
          {m.alerts.delete}
          {about}
        </button>
      </form>
    </section>
  );
}

/** The product, or the search. */
function hrefOf({ query }: StoredSavedSearch): string {
  const { item_id: itemId, ...rest } = query;
  if (itemId !== undefined) return `/products/${itemId}`;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    for (const one of [value].flat()) params.append(name, String(one));
  }
  return `/?${params.toString()}`;
}
