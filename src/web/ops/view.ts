import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { ApiEnv } from "../../api/http/env.ts";
import type { OpsPage } from "./ops-page.ts";

/** A console page without its frame. */
export type View = (page: OpsPage, c: Context<ApiEnv>) => Promise<Child>;
