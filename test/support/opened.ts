import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

interface Closable {
  close(): Promise<unknown>;
}

/** What `open` opens before the first test of the file, closed after the last. */
export function openedForAll<T extends Closable>(open: () => Promise<T>): T {
  const opened = {} as T; // filled before anything reads it
  beforeAll(async () => {
    Object.assign(opened, await open());
  });
  afterAll(() => opened.close());
  return opened;
}

/** The same, anew for each test. */
export function openedForEach<T extends Closable>(open: () => Promise<T>): T {
  const opened = {} as T; // filled before anything reads it
  beforeEach(async () => {
    Object.assign(opened, await open());
  });
  afterEach(() => opened.close());
  return opened;
}
