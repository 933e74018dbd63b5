import type { Random } from "../../src/lib/random.ts";
import type { RunningSandbox } from "../../src/sandbox/server.ts";

export interface Load {
  /** Stops new deeds and waits for those under way. */
  pause(): Promise<void>;
  resume(): void;
  /** Removes a product upstream and lets a user ask for it. */
  removeOne(): void;
  /** Answers to users by status; "none" where there was none. */
  answers(): ReadonlyMap<string, number>;
}

export interface LoadOptions {
  sandbox: RunningSandbox;
  random: Random;
  /** Where users go; null while nothing serves. */
  api(): string | null;
}

const deedEveryMs = 60;
const visitTimeoutMs = 4000;
const mostVisits = 6;
/** Texts that have broken stores before. */
const awkward = [
  "\u0000零",
  "\ud800片",
  "'); drop table product; --",
  "<b>太字</b>",
  "👜".repeat(40),
];

/** Shops change their goods and users look at them, steadily and by the seed. */
export function startLoad({ sandbox, random, api }: LoadOptions): Load {
  const { control } = sandbox;
  const answers = new Map<string, number>();
  const visits = new Set<Promise<void>>();
  let nextId = 9_000_000;
  let isPaused = true;
  let ids: number[] = control.items().map((item) => Number(item["item_id"]));

  async function visit(path: string, method: "GET" | "POST"): Promise<void> {
    const url = api();
    let outcome = "none";
    try {
      if (url === null) return;
      const signal = AbortSignal.timeout(visitTimeoutMs);
      const answer = await fetch(`${url}${path}`, { method, signal });
      await answer.arrayBuffer();
      outcome = String(answer.status);
    } catch {
      // A server that was just killed answers nobody: counted, and the reason for all this.
      outcome = "none";
    } finally {
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    }
  }

  function send(path: string, method: "GET" | "POST" = "GET"): void {
    if (visits.size >= mostVisits) return;
    const one = visit(path, method).finally(() => visits.delete(one));
    visits.add(one);
  }

  function add(): void {
    const model = control.item(random.pick(ids));
    if (!model) return;
    nextId += 1;
    const modified = Math.floor(Date.now() / 1000);
    control.add({ ...model, item_id: nextId, variations: [], stock: 5, modified });
    ids.push(nextId);
  }

  function removeOne(): void {
    const id = random.pick(ids);
    if (!control.remove(id)) return;
    ids = ids.filter((other) => other !== id);
    send(`/v1/products/${id}/refresh?min_age_s=1`, "POST");
  }

  function edit(): void {
    const id = random.pick(ids);
    const silent = random.chance(0.15);
    const change = random.chance(0.1)
      ? { title: `革財布 ${random.pick(awkward)} ${random.integer(1, 999)}` }
      : { price: random.integer(10, 2000) * 10 };
    control.edit(id, change, { silent });
    if (random.chance(0.5)) send(`/v1/products/${id}/refresh?min_age_s=1`, "POST");
  }

  function deed(): void {
    if (isPaused) return;
    const kind = random.next();
    if (kind < 0.02) add();
    else if (kind < 0.03) removeOne();
    else if (kind < 0.7) edit();
    else if (kind < 0.85) send(`/v1/products/${random.pick(ids)}`);
    else send(`/v1/products?q=${encodeURIComponent(random.pick(["財布", "バッグ", "陶器"]))}`);
  }

  setInterval(deed, deedEveryMs).unref();
  return {
    async pause() {
      isPaused = true;
      await Promise.all(visits);
    },
    resume() {
      isPaused = false;
    },
    removeOne,
    answers: () => answers,
  };
}
