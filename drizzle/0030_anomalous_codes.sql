-- The codes of anomalous answers begin with the word that the documents use.
update backoff set code = 'anomalous' || substr(code, 8) where code like 'strange%';
--> statement-breakpoint
update api_call set outcome = 'anomalous' || substr(outcome, 8) where outcome like 'strange%';
