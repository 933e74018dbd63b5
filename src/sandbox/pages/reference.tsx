import type { Child } from "hono/jsx";
import { assumptions } from "../assumptions.ts";
import { errorDescriptions, isSpecifiedError } from "../api-errors.ts";
import type { Operation } from "../operations/operation.ts";
import type { Parameter } from "../operations/parameters.ts";
import { operations } from "../operations/all-operations.ts";
import { scopeTable } from "../scopes.ts";
import { Layout, page, styles, stylesPath } from "./layout.tsx";
import { groupOf, isNeeded, toOpenApi } from "./openapi.ts";
import { Hono } from "hono";

/** The reference page. Shows what is specified and what is assumed, from the table that the server uses. */
function ReferencePage() {
  return (
    <Layout title="Storefront Commerce API" lang="en">
      <h1>Storefront Commerce API v1 (beta): the sandbox</h1>
      <p>
        <Mark status="specified" /> is what the specification says; <Mark status="assumed" /> is a
        choice of this sandbox where the specification says “not shown”. Do not rely on it
        elsewhere. Also as <a href="/openapi.json">OpenAPI 3.1</a>.
      </p>
      <OperationsTable />
      <h2>Assumptions</h2>
      <Table id="assumptions" heads={["Section", "Left open", "Assumed here"]}>
        {assumptions.map(({ section, open, assumed }) => (
          <tr>
            <td>{section}</td>
            <td>{open}</td>
            <td class="assumed">{assumed}</td>
          </tr>
        ))}
      </Table>
      <h2>Scopes</h2>
      <Table id="scopes" heads={[]}>
        {Object.entries(scopeTable).map(([scope, { grants }]) => (
          <tr>
            <td>
              <code>{scope}</code>
            </td>
            <td>{grants}</td>
          </tr>
        ))}
      </Table>
      <h2>Errors: status 400, error and error_description</h2>
      <Table id="errors" heads={[]}>
        {errorDescriptions.map(([code, description]) => (
          <tr>
            <td>
              <code>{code}</code>
            </td>
            <td lang="ja">{description}</td>
            <td>
              <Mark status={isSpecifiedError(code) ? "specified" : "assumed"} />
            </td>
          </tr>
        ))}
      </Table>
    </Layout>
  );
}

function OperationsTable() {
  return (
    <>
      <h2>The {operations.length} operations</h2>
      <p>
        Method, path and purpose are specified. GET takes query parameters; POST needs{" "}
        <code>Content-Type: application/x-www-form-urlencoded</code>. <strong>*</strong> marks a
        parameter that is needed.
      </p>
      <div class="wide">
        <Table id="operations" heads={["Group", "Operation", "Scope", "Parameters", "Answer"]}>
          {operations.map((operation) => (
            <Row operation={operation} />
          ))}
        </Table>
      </div>
    </>
  );
}

function Table({ id, heads, children }: { id: string; heads: readonly string[]; children: Child }) {
  return (
    <table id={id}>
      {heads.length > 0 && (
        <thead>
          <tr>
            {heads.map((head) => (
              <th>{head}</th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  );
}

function Row({ operation }: { operation: Operation }) {
  const { id, method, path, purpose, parameters } = operation;
  return (
    <tr id={id}>
      <td>{groupOf(path)}</td>
      <td>
        <code>
          {method} {path}
        </code>
        <br />
        {purpose}
      </td>
      <td>
        {operation.access === "bearer" ? (
          <>
            <code>{operation.scope}</code> <Mark status="assumed" />
          </>
        ) : operation.access === "search" ? (
          <>
            Search’s own credentials <Mark status="specified" />
          </>
        ) : (
          "—"
        )}
      </td>
      <td>
        <ul class="plain">
          {Object.entries(parameters).map(([name, parameter]) => (
            <ParameterLine name={name} parameter={parameter} />
          ))}
        </ul>
      </td>
      <td>
        <Mark status={operation.access === "search" ? "specified" : "assumed"} />
      </td>
    </tr>
  );
}

function ParameterLine({ name, parameter }: { name: string; parameter: Parameter }) {
  return (
    <li>
      <code>{parameter.place === "list" ? `${name}[0]` : name}</code>
      {isNeeded(parameter) && <strong>*</strong>} {parameter.about}{" "}
      <Mark status={parameter.status} />
    </li>
  );
}

function Mark({ status }: Pick<Parameter, "status">) {
  return <span class={status}>{status}</span>;
}

/** The sandbox's description of itself; no part of the Storefront API. */
export function createReferenceRoutes(): Hono {
  return new Hono()
    .get("/", (c) => c.redirect("/docs"))
    .get("/docs", () => page(<ReferencePage />))
    .get("/openapi.json", (c) => c.json(toOpenApi(new URL(c.req.url).origin)))
    .get(stylesPath, (c) => c.body(styles, 200, { "content-type": "text/css; charset=utf-8" }));
}
