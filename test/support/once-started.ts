/**
 * Environment variables that make a Kurabe process run `code` once it has installed its handler for
 * unhandled errors (its signal handlers exist by then).
 */
export function onceStarted(code: string): Record<string, string> {
  const script = `const timer = setInterval(() => {
  if (process.listenerCount("uncaughtException") === 0) return;
  clearInterval(timer);
  ${code};
}, 20)`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
