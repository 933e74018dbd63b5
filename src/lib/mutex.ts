export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs the given functions one after another, in the order of the calls. A failure does not block the next one. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
}
