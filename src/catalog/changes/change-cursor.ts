/** How far a reader of changes is. */
export interface ChangeCursor {
  /** The order of changes that it belongs to. */
  epoch: string;
  /** The reader has all changes up to this position. */
  position: number;
  /** While the reader reads everything that lives: the last product it has. null: it has all of them. */
  listedTo: number | null;
}

/** As readers get it: opaque, safe in an address. */
export function writeCursor({ epoch, position, listedTo }: ChangeCursor): string {
  return Buffer.from(
    [epoch, position, ...(listedTo === null ? [] : [listedTo])].join("."),
  ).toString("base64url");
}

const form = /^([0-9a-f]{12})\.(\d{1,16})(?:\.(\d{1,16}))?$/;

/** null: no text that `writeCursor` writes. */
export function readCursor(text: string): ChangeCursor | null {
  const [, epoch, position, listedTo] = form.exec(Buffer.from(text, "base64url").toString()) ?? [];
  if (epoch === undefined) return null;
  const cursor = {
    epoch,
    position: Number(position),
    listedTo: listedTo === undefined ? null : Number(listedTo),
  };
  return writeCursor(cursor) === text ? cursor : null;
}
