-- online
create table if not exists alert_link (
  secret_hash text primary key not null,
  owner_id bigint not null constraint alert_link_owner_id_alert_owner_owner_id_fk
    references alert_owner (owner_id) on delete cascade,
  purpose text not null,
  expires_at timestamp (3) with time zone not null
);
--> statement-breakpoint
create index if not exists alert_link_owner on alert_link using btree (owner_id);
--> statement-breakpoint
create index if not exists alert_link_expires on alert_link using btree (expires_at);
--> statement-breakpoint
create table if not exists outgoing_mail (
  mail_id bigint primary key generated always as identity,
  owner_id bigint not null constraint outgoing_mail_owner_id_alert_owner_owner_id_fk
    references alert_owner (owner_id) on delete cascade,
  kind text not null,
  after_event bigint default 0 not null,
  last_event bigint default 0 not null,
  attempts integer default 0 not null,
  unsettled integer default 0 not null,
  next_at timestamp (3) with time zone not null,
  created_at timestamp (3) with time zone not null,
  constraint outgoing_mail_once unique (owner_id, kind)
);
--> statement-breakpoint
create index if not exists outgoing_mail_due on outgoing_mail using btree (next_at);
--> statement-breakpoint
-- A constant default changes no row.
alter table alert_owner
  add column if not exists digest text default 'none' not null,
  add column if not exists digest_at timestamp (3) with time zone,
  add column if not exists digested_to bigint default 0 not null;
--> statement-breakpoint
drop index concurrently if exists alert_owner_digest;
--> statement-breakpoint
create index concurrently alert_owner_digest on alert_owner using btree (digest_at) where digest_at is not null;
--> statement-breakpoint
drop index concurrently if exists saved_search_digest;
--> statement-breakpoint
-- Nobody could choose a digest of a saved search.
alter table saved_search drop column digest, drop column digest_at, drop column digested_to;
