export const plural = (n: number | string, one: string, many = `${one}s`) =>
  `${n} ${String(n) === "1" ? one : many}`;
