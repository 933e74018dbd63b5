/** Whether a text has a letter or sign that is seen: neither spaces nor characters without a width name anything. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{DI}]/u.test(text);
}
