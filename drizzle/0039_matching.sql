CREATE TABLE "group_change" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "group_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"group_id" bigint NOT NULL,
	"other_group_id" bigint,
	"item_ids" bigint[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_member" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"group_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"score" real NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_category" (
	"category" text PRIMARY KEY NOT NULL,
	"threshold" real NOT NULL,
	"is_linked" boolean NOT NULL,
	"reason" text NOT NULL,
	"precision_by_codes" real,
	"precision_by_shops" real,
	"labelled_pairs" integer NOT NULL,
	"model_version" smallint NOT NULL,
	"estimated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_decision" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "match_decision_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"a" bigint NOT NULL,
	"b" bigint NOT NULL,
	"decision" text NOT NULL,
	"decided_at" timestamp with time zone NOT NULL,
	CONSTRAINT "match_decision_ordered" CHECK ("match_decision"."a" < "match_decision"."b")
);
--> statement-breakpoint
CREATE TABLE "match_due" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "match_pair" (
	"a" bigint NOT NULL,
	"b" bigint NOT NULL,
	"score" real NOT NULL,
	"tier" text NOT NULL,
	"kind" text NOT NULL,
	"vetoes" text[] NOT NULL,
	"is_doubtful" boolean NOT NULL,
	CONSTRAINT "match_pair_a_b_pk" PRIMARY KEY("a","b"),
	CONSTRAINT "match_pair_ordered" CHECK ("match_pair"."a" < "match_pair"."b")
);
--> statement-breakpoint
CREATE TABLE "product_attribute" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"quantity" double precision,
	"unit" text,
	"pack" integer,
	"models" text[] NOT NULL,
	"colours" text[] NOT NULL,
	"size" text,
	"condition" text,
	"edition" text
);
--> statement-breakpoint
CREATE TABLE "product_group" (
	"group_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "product_group_group_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merged_into" bigint,
	"members" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "group_member_group" ON "group_member" USING btree ("group_id","item_id");--> statement-breakpoint
CREATE INDEX "match_decision_pair" ON "match_decision" USING btree ("a","b","id");--> statement-breakpoint
CREATE INDEX "match_decision_b" ON "match_decision" USING btree ("b");--> statement-breakpoint
CREATE INDEX "match_due_since" ON "match_due" USING btree ("since");--> statement-breakpoint
CREATE INDEX "match_pair_b" ON "match_pair" USING btree ("b");