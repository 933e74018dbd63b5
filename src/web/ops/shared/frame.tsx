import type { Child } from "hono/jsx";
import type { ProblemDetails } from "../../../api/http/problems/problem.ts";
import { problemText } from "../../../api/http/problems/problem-language.ts";
import { stillLasts } from "../../../crawl/budget/accounts.ts";
import { anomalousAnswers, type Block } from "../../../crawl/safety/pause.ts";
import { Layout } from "../../shared/page/layout.tsx";
import { mayOperate, nameOf, type OpsPage } from "./ops-page.ts";
import type { OpsMessages } from "../messages/messages.ts";

export type Tab = keyof OpsMessages["tabs"];

export const tabPaths: Record<Tab, string> = {
  today: "/ops",
  schedule: "/ops/schedule",
  keywords: "/ops/keywords",
  plan: "/ops/plan",
  calls: "/ops/calls",
  backoffs: "/ops/backoffs",
  clicks: "/ops/clicks",
  matches: "/ops/matches",
  mirror: "/ops/mirror",
  webhooks: "/ops/webhooks",
  keys: "/ops/keys",
  audit: "/ops/audit",
};
// Safe: these are the names of the record.
export const tabs = Object.keys(tabPaths) as Tab[];
export const tabAt = (path: string) => tabs.find((tab) => tabPaths[tab] === path);

/** The frame of every console page: navigation, state of the crawler, outcome of the last action. */
export function Frame(props: { page: OpsPage; tab: Tab; children: Child }) {
  const { page, tab, children } = props;
  const { o, m } = page;
  return (
    <Layout
      page={page}
      title={`${o.tabs[tab]} – ${o.title} – ${m.name}`}
      noindex
      extras={["ops.css", "ops.js"]}
      bodyClass="ops"
      header={<Header page={page} tab={tab} />}
    >
      <CrawlBar page={page} />
      <NoticeLine page={page} at="" />
      {children}
    </Layout>
  );
}

export function Tabs({ o, tab }: { o: OpsMessages; tab: Tab }) {
  return (
    <nav class="tabs" aria-label={o.nav}>
      {Object.entries(tabPaths).map(([name, path]) => (
        <a href={path} aria-current={name === tab ? "page" : undefined}>
          {nameOf(o.tabs, name)}
        </a>
      ))}
    </nav>
  );
}

function Header({ page, tab }: { page: OpsPage; tab: Tab }) {
  const { o } = page;
  return (
    <>
      <Tabs o={o} tab={tab} />
      <span class="fine">
        <bdi>{page.session.operator.name}</bdi>
        {!mayOperate(page) && <span class="tag">{o.reader}</span>}
      </span>
      <ActionForm page={page} to="/ops/sign-out" label={o.signOut} />
    </>
  );
}

function CrawlBar({ page }: { page: OpsPage }) {
  const { o, crawl, now } = page;
  const block = crawl.block && stillLasts(crawl.block.until, now) ? crawl.block : null;
  const isAnomaly = block?.code === anomalousAnswers;
  return (
    <section class="crawl-bar card" aria-label={o.state.title}>
      <div class="crawl-state" id="crawl-state" data-live>
        <CrawlTag page={page} block={block} />
        {block !== null && block.reason !== "" && (
          <span class="fine" lang="en">
            {block.reason}
          </span>
        )}
        {(crawl.paused || isAnomaly) && (
          <Action
            page={page}
            to="/ops/resume"
            label={isAnomaly ? o.state.believe : o.state.resume}
            look="small"
          />
        )}
        {!crawl.paused && <Action page={page} to="/ops/pause" label={o.state.pause} />}
      </div>
      <div class="live-choice">
        <p
          class="live"
          data-address={page.url.pathname}
          data-live-on={o.live.on}
          data-live-lost={o.live.lost}
          data-live-stopped={o.live.stopped}
          role="status"
        />
        <label hidden>
          <input type="checkbox" data-follow autocomplete="off" /> {o.live.follow}
        </label>
      </div>
    </section>
  );
}

function CrawlTag(props: { page: OpsPage; block: Block | null }) {
  const { o, f, crawl } = props.page;
  if (crawl.paused) return <span class="tag sale">{o.state.paused}</span>;
  if (!props.block) return <span class="tag good">{o.state.running}</span>;
  const { until, code, failures } = props.block;
  return <span class="tag warn">{o.state.blocked(f.nearby(until), code, f.number(failures))}</span>;
}

interface NoticeLineProps {
  page: OpsPage;
  at: string;
  /** What is wrong with a parameter in words of the page, where it has some. */
  words?: Readonly<Record<string, string>>;
  /** What the page's fields are called, by their parameters. */
  names?: Readonly<Record<string, string>>;
}

/** The outcome of the last action, at its place on the page. The script focuses it for screen readers. */
export function NoticeLine(props: NoticeLineProps) {
  const { page, at, words = {}, names = {} } = props;
  const { notice, o } = page;
  if (!notice || notice.kind === "key" || notice.kind === "trial" || notice.at !== at) return null;
  if (notice.kind === "done") {
    return (
      <p class="notice" role="status" tabindex={-1} data-notice>
        {o.done[notice.code]}
      </p>
    );
  }
  const { errors = [] } = notice.problem;
  // Several values of one field may have the same fault.
  const faults = new Set(
    errors.map(({ parameter, message }) => {
      const name = names[parameter] ?? parameter;
      return words[parameter] ?? `${name}: ${problemText(message, page.lang)}`;
    }),
  );
  return (
    <div class="notice warn" id="notice" role="alert" tabindex={-1} data-notice>
      <p>
        {o.refused.lead} {errors.length === 0 && refusal(page, notice.problem)}
      </p>
      {errors.length > 0 && (
        <ul>
          {[...faults].map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** In words of the console where they tell more than those of the API. */
function refusal({ o, lang }: OpsPage, { code, detail }: ProblemDetails): string {
  return new Map(Object.entries(o.refused)).get(code) ?? problemText(detail, lang);
}

interface ActionProps {
  page: OpsPage;
  to: string;
  label: string;
  look?: string;
  /** For screen readers, which do not show the button's surroundings. */
  about?: string;
  /** The text of a second button, which confirms it; works without scripts. */
  confirm?: string;
  children?: Child;
}

/** A button that changes something; nothing for who may only read. */
export function Action({ confirm, ...action }: ActionProps) {
  if (!mayOperate(action.page)) return null;
  if (confirm === undefined) return <ActionForm {...action} />;
  return (
    <details class="confirm">
      <summary aria-label={nameWith(action.label, action.about)}>{action.label}</summary>
      <ActionForm look="danger small" {...action} label={confirm} />
    </details>
  );
}

/** A form with one button and the session's token, so that no other site can send it. */
function ActionForm(props: Omit<ActionProps, "confirm">) {
  const { page, to, label, look = "plain small", about, children } = props;
  return (
    <form method="post" action={to} class="action">
      <FormToken page={page} />
      {children}
      <button class={look} aria-label={nameWith(label, about)}>
        {label}
      </button>
    </form>
  );
}

const nameWith = (label: string, about?: string) => about && `${label}: ${about}`;

interface RowsActionProps extends ActionProps {
  /** Names the ids in the form. */
  name?: string;
  ids: readonly number[];
}

/** An action about all rows that the page shows. */
export function RowsAction({ ids, name = "id", ...action }: RowsActionProps) {
  if (ids.length === 0) return null;
  return (
    <Action {...action}>
      {ids.map((id) => (
        <input type="hidden" name={name} value={String(id)} />
      ))}
    </Action>
  );
}

export function FormToken({ page }: { page: OpsPage }) {
  return <input type="hidden" name="form_token" value={page.session.formToken} />;
}

interface FieldProps {
  label: string;
  name: string;
  value: string | undefined;
  required?: boolean;
  inputmode?: "numeric";
  maxlength?: number;
  placeholder?: string;
  type?: "date";
}
export function Field({ label, value = "", ...field }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input {...field} value={value} autocomplete="off" />
    </label>
  );
}

export function Card(props: { title: string; id: string; live?: boolean; children: Child }) {
  const { title, id, live = false, children } = props;
  return (
    <section class="card panel" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{title}</h2>
      <div id={id} {...(live ? { "data-live": true } : {})}>
        {children}
      </div>
    </section>
  );
}
