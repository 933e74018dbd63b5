/** W5: escaped, so that it cannot end the element or begin a comment. */
export function escapeForScript(json: string): string {
  return json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
