DROP INDEX "backoff_retry";--> statement-breakpoint
CREATE INDEX "backoff_retry" ON "backoff" USING btree ("kind","retry_at","id");