/**
 * Reads what a client says to Postgres off the wire: the text of each statement as it is executed.
 * A prepared statement's text is sent once and known by name afterwards.
 */
export function createStatementReader(): (chunk: Buffer) => string[] {
  const texts = new Map<string, string>();
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const statements: string[] = [];
    for (;;) {
      // The first message of a connection has no type.
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) break;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) break;
      const type = isStarted ? String.fromCharCode(rest.readUInt8(0)) : "startup";
      const text = toStatement(type, rest.subarray(head + 4, end), texts);
      if (text !== undefined) statements.push(text);
      isStarted = true;
      rest = rest.subarray(end);
    }
    return statements;
  };
}

function toStatement(type: string, body: Buffer, texts: Map<string, string>): string | undefined {
  if (type === "Q") return cString(body, 0).text;
  if (type === "P") {
    const name = cString(body, 0);
    texts.set(name.text, cString(body, name.next).text);
  }
  if (type === "B") return texts.get(cString(body, cString(body, 0).next).text);
  return undefined;
}

function cString(body: Buffer, from: number): { text: string; next: number } {
  const end = body.indexOf(0, from);
  return { text: body.toString("utf8", from, end), next: end + 1 };
}
