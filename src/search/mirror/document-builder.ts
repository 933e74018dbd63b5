import { toDocument, toPlacedDocument, type DocumentBuilder } from "../index/document.ts";
import { hostOf } from "./hosts.ts";

/** What an index with this name or prefix has of a product. */
export function documentBuilderOf(indexUid: string): DocumentBuilder {
  return hostOf(indexUid) > 0 ? toPlacedDocument : toDocument;
}
