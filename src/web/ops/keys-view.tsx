import { randomUUID } from "node:crypto";
import { readKeysWithUse, type KeysWithUse } from "../../api/ops/keys.ts";
import { anonymousKey } from "../../keys/key-use.ts";
import { type ListedKey, useDaysShown, type UseDay } from "../../keys/stored-keys.ts";
import { beginning } from "../shared/format.ts";
import { WideTable } from "../shared/table.tsx";
import { Action, Card, Field, FormToken, NoticeLine } from "./shared/frame.tsx";
import {
  mayOperate,
  refusedAt,
  type ConsoleDeps,
  type OpsPage,
  type View,
} from "./shared/ops-page.ts";
import { Figure } from "./shared/cells.tsx";

export function createKeys({ opsDb, apiKeys, budget }: ConsoleDeps): View {
  return async (page) => {
    const { o, f } = page;
    const words = o.keys;
    const found = await readKeysWithUse(opsDb, page.now, budget.timezone);
    return (
      <>
        <h1>{o.tabs.keys}</h1>
        <p class="quiet">{words.modes[apiKeys]}</p>
        <NoticeLine page={page} at="keys" words={faultWords(page)} />
        <NewKey page={page} />
        {mayOperate(page) && <AddForm page={page} />}
        <Card id="keys" title={words.list}>
          {found.keys.length === 0 && <p class="quiet">{words.empty}</p>}
          <ul class="keywords">
            {found.keys.map((key) => (
              <KeyItem page={page} stored={key} />
            ))}
          </ul>
        </Card>
        <Card id="key-use" title={words.use} live>
          <p class="fine">{words.useLead(f.number(useDaysShown))}</p>
          <KeyUseTable page={page} rows={toRows(page, found)} />
        </Card>
      </>
    );
  };
}

/** The only page that shows a key. A reload shows the list again. */
function NewKey({ page }: { page: OpsPage }) {
  const { o, notice } = page;
  if (notice?.kind !== "key") return null;
  return (
    <div class="notice" role="status" tabindex={-1} data-notice>
      <p>{o.keys.created(notice.name)}</p>
      <p>
        <code class="new-key">{notice.text}</code>
      </p>
      <p>{o.keys.copy}</p>
    </div>
  );
}

function AddForm({ page }: { page: OpsPage }) {
  const words = page.o.keys;
  const { name, per_minute, per_day, origins } = refusedAt(page, "keys") ?? {};
  const limit = { inputmode: "numeric", maxlength: 10, placeholder: words.noLimit } as const;
  return (
    <Card id="add" title={words.add}>
      <form method="post" action="/ops/keys" class="add-form add-key">
        <FormToken page={page} />
        <input type="hidden" name="form_id" value={randomUUID()} />
        <Field
          name="name"
          label={words.name}
          value={name}
          required
          maxlength={100}
          placeholder={words.nameHint}
        />
        <Field name="per_minute" label={words.perMinute} value={per_minute} {...limit} />
        <Field name="per_day" label={words.perDay} value={per_day} {...limit} />
        <Field
          name="origins"
          label={words.origins}
          value={origins}
          placeholder={words.originsHint}
        />
        <button>{words.button}</button>
      </form>
    </Card>
  );
}

function KeyItem({ page, stored }: { page: OpsPage; stored: ListedKey }) {
  const { o, f } = page;
  const words = o.keys;
  const { keyId, name, lastFour, perMinute, perDay, origins, revokedAt } = stored;
  const limits = [
    ...(perMinute === null ? [] : [words.aMinute(f.number(perMinute))]),
    ...(perDay === null ? [] : [words.aDay(f.number(perDay))]),
  ];
  return (
    <li class={revokedAt === null ? "" : "is-paused"}>
      <div class="keyword">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <p class="fine">
          #{keyId} <code>kurabe_…{lastFour}</code>{" "}
          {revokedAt !== null && <span class="tag">{words.revokedTag}</span>}
        </p>
        {origins.length > 0 && (
          <p class="fine">
            <bdi>{origins.join(" ")}</bdi>
          </p>
        )}
      </div>
      <dl class="small-figures">
        <Figure name={words.limits}>
          {limits.length === 0 ? words.noLimit : limits.join(" · ")}
        </Figure>
        <Figure name={words.createdAt}>{f.ago(stored.createdAt)}</Figure>
        <Figure name={words.lastUsed}>
          {stored.lastUsedDay === null ? words.never : f.day(stored.lastUsedDay)}
        </Figure>
      </dl>
      <div class="keyword-actions">
        {revokedAt === null ? (
          <Action
            page={page}
            to={`/ops/keys/${keyId}/revoke`}
            label={words.revoke}
            confirm={words.confirm}
            about={`${name} #${keyId}`}
          />
        ) : (
          <span class="fine">{words.revoked(f.ago(revokedAt))}</span>
        )}
      </div>
    </li>
  );
}

type Row = UseDay & { name: string };

const counts = [
  ["requests", "requests"],
  ["errors", "errors"],
  ["limited", "limited"],
  ["otherOrigin", "other_origin"],
] as const;

/** More would be read by nobody. */
const rowsShown = 200;

function toRows({ o }: OpsPage, { keys, useOf }: KeysWithUse) {
  const named = [
    ...keys.map(({ keyId, name }) => ({ keyId, name: `${name} #${keyId}` })),
    { keyId: anonymousKey, name: o.keys.withoutKey },
  ];
  return named
    .flatMap(({ keyId, name }) => useOf(keyId).map((use) => ({ ...use, name })))
    .toSorted((a, b) => b.day.localeCompare(a.day) || b.requests - a.requests);
}

function KeyUseTable({ page, rows }: { page: OpsPage; rows: readonly Row[] }) {
  const { o, f } = page;
  return (
    <WideTable
      label={o.keys.use}
      empty={o.keys.useEmpty}
      rows={rows.slice(0, rowsShown)}
      columns={({ head, numbers, times }) => [
        times(o.days.day, ({ day }) => f.day(day)),
        head(o.keys.key, ({ name }) => <bdi>{name}</bdi>),
        ...counts.map(([word, count]) => numbers(o.keys[word], (row) => f.number(row[count]))),
      ]}
    />
  );
}

/** As they were typed into one field. */
export function originsIn(text = ""): string[] {
  return text.split(/[\s,、]+/u).filter((origin) => origin !== "");
}

function faultWords(page: OpsPage): Record<string, string> {
  const { keys } = page.o;
  const { name, limit, origin, origins } = keys.faults;
  const each = originsIn(refusedAt(page, "keys")?.origins).map((typed, i) => [
    `origins.${i}`,
    `${keys.origins}: ${origin(beginning(typed, 100))}`,
  ]);
  return {
    ...Object.fromEntries(each),
    name: `${keys.name}: ${name}`,
    per_minute: `${keys.perMinute}: ${limit}`,
    per_day: `${keys.perDay}: ${limit}`,
    origins: `${keys.origins}: ${origins}`,
  };
}
