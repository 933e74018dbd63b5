import { z } from "zod";
import { deliveryCompanies } from "../assumptions.ts";
import { bearer } from "./operation.ts";

const companyBody = z.object({ delivery_company_id: z.int(), name: z.string() });

export const deliveryCompaniesOperations = [
  bearer({
    id: "delivery-companies",
    method: "GET",
    path: "/1/delivery_companies",
    purpose: "list delivery companies",
    scope: "read_orders",
    parameters: {},
    answer: z.object({ delivery_companies: z.array(companyBody) }),
    run: () => ({ delivery_companies: deliveryCompanies }),
  }),
];
