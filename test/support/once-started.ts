/**
 * The environment that makes a Kurabe process run `code` within itself, as soon as it listens for
 * what nobody handles (its handlers of signals are there by then).
 */
export function onceStarted(code: string): Record<string, string> {
  const script = `const timer = setInterval(() => {
  if (process.listenerCount("uncaughtException") === 0) return;
  clearInterval(timer);
  ${code};
}, 20)`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
