import type { ConnectionType } from "#lib/db/schema/credentials/connections.ts";
import type { ConnectionRequest } from "./actions.ts";
import type { ConnectionView } from "./connection-view.ts";
import { connectionKinds, type KindField } from "./kinds.ts";

/** The request of a filled form. Secrets of a known connection that are empty stay; other empty fields are removed. */
export function requestOfForm(
  form: FormData,
  type: ConnectionType,
  connection: ConnectionView | undefined,
): ConnectionRequest {
  const text = (name: string) => String(form.get(name) ?? "");
  const operations = text("operations")
    .split(/[\s,]+/)
    .filter((id) => id !== "");
  return {
    ...(connection ? {} : { type }),
    name: text("name").trim(),
    prefix: text("prefix").trim(),
    access: text("access"),
    operations: operations.length > 0 ? operations : null,
    ...Object.fromEntries(
      connectionKinds[type].fields.flatMap((field) => {
        const value = sentValue(field, text(field.name), connection !== undefined);
        return value === undefined ? [] : [[field.name, value]];
      }),
    ),
  };
}

/** The value that is sent: undefined for none, null to remove a known one. */
function sentValue(
  { name, isSecret, isLong, isOptional }: KindField,
  given: string,
  isChange: boolean,
): unknown {
  // A password may begin with a space.
  const value = isSecret && !isLong ? given : given.trim();
  if (value === "" && isSecret) return undefined;
  if (value === "" && isOptional) return isChange ? null : undefined;
  return name === "port" && /^\d+$/.test(value) ? Number(value) : value;
}
