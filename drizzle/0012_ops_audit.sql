CREATE TABLE "ops_audit" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"via" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"detail" jsonb NOT NULL,
	"outcome" text NOT NULL,
	"code" text,
	"request_id" text NOT NULL
);
--> statement-breakpoint
create function ops_audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ops_audit is append-only';
end $$;
--> statement-breakpoint
create trigger ops_audit_append_only before update or delete on ops_audit
  for each row execute function ops_audit_is_append_only();
