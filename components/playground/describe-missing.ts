import { findOperation } from "#lib/operations/catalogue/index.ts";

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Why the form does not start with what the page's query names; undefined if the query names nothing that is missing. */
export function describeMissing({
  from,
  request,
  operations,
  operation,
}: Query): string | undefined {
  if (from !== undefined) {
    return "The job of this link does not exist, or has an operation that is not offered any more.";
  }
  if (request !== undefined) {
    return "The request of this link does not exist, or names no operation that is offered.";
  }
  if (operations !== undefined) {
    return "This link is damaged: its operations cannot be read.";
  }
  if (operation === undefined || findOperation(String(operation))) return undefined;
  return `There is no operation “${operation}”. Choose another one.`;
}
