/**
 * `read`, shared by all who ask before it begins: nobody is given what was read before they asked.
 * At most `most` of them run at once; who asks meanwhile joins the next.
 */
export function createJoined<T>(read: () => Promise<T>, most: number): () => Promise<T> {
  let running = 0;
  let next: { answer: Promise<T>; begin: () => void } | null = null;

  function open(): { answer: Promise<T>; begin: () => void } {
    let begin = () => {};
    const turn = new Promise<void>((resolve) => (begin = resolve));
    return { answer: turn.then(read), begin };
  }

  function beginNext(): void {
    if (next === null || running >= most) return;
    const { answer, begin } = next;
    next = null;
    running += 1;
    const end = () => {
      running -= 1;
      beginNext();
    };
    answer.then(end, end);
    begin();
  }

  return () => {
    next ??= open();
    const { answer } = next;
    beginNext();
    return answer;
  };
}
