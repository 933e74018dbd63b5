import { categoriesOperations } from "./categories.ts";
import { itemChangeOperations } from "./items/item-changes.ts";
import { itemOperations } from "./items/items.ts";
import { oauthOperations } from "./oauth.ts";
import type { Operation } from "./operation.ts";
import { ordersOperations } from "./orders.ts";
import { searchOperations } from "./search.ts";
import { usersOperations } from "./users.ts";

/** Section 4's table: the 28 operations, from which routes, reference page and OpenAPI are made. */
export const operations: readonly Operation[] = [
  ...oauthOperations,
  ...usersOperations,
  ...itemOperations,
  ...itemChangeOperations,
  ...categoriesOperations,
  ...ordersOperations,
  ...searchOperations,
];
