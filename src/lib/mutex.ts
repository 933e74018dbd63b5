export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs the given works one after another, in the order of asking; a failure does not block the next. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
}
