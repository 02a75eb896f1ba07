import type { FieldNames } from "../plan/plan.ts";

/** A parameter or a path within one, such as `bookmarks[0].page`, as messages have it. */
const parameterPattern = /`([a-z_]+)((?:\.[\w-]+|\[\d+\])*)`/g;

/** A message with the form fields that its parameters come from. Others stay as they are. */
export function nameFields(message: string, fields: FieldNames): string {
  const find = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  return message.replace(parameterPattern, (whole, name: string, path: string) => {
    const own = find(`${name}${path}`);
    const field = own ?? find(name);
    if (field === undefined) return whole;
    const kind = field.includes(".") ? "file" : "field";
    return `form ${kind} '${field}${own === undefined ? path : ""}'`;
  });
}
