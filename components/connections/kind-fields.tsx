import { PasswordInput } from "#components/forms/password-input.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Textarea } from "#components/ui/inputs/textarea.tsx";
import type { ConnectionType } from "#lib/db/schema/credentials/connections.ts";
import type { ConnectionView } from "./connection-view.ts";
import { connectionKinds, type KindField } from "./kinds.ts";

interface KindFieldsProps {
  readonly type: ConnectionType;
  readonly connection: ConnectionView | undefined;
  readonly errorOf: (name: string) => string | undefined;
}

/** The fields of one type of connection. */
export function KindFields({ type, connection, errorOf }: KindFieldsProps) {
  return connectionKinds[type].fields.map((field) => (
    <Field
      key={field.name}
      label={field.isOptional ? <Optional label={field.label} /> : field.label}
      hint={hintOf(field, connection !== undefined)}
      error={errorOf(field.name)}
    >
      {(control) => {
        const { name, placeholder, fallback, isSecret, isLong } = field;
        const shared = { ...control, name, placeholder: placeholder ?? fallback };
        // A password manager would fill in the password of this service.
        if (isSecret && !isLong) return <PasswordInput {...shared} autoComplete="new-password" />;
        const text = { ...shared, autoComplete: "off", spellCheck: false };
        const value = connection ? connection.fields[name] : undefined;
        return isLong ? (
          <Textarea {...text} className="min-h-28 font-mono text-xs" />
        ) : (
          <Input {...text} defaultValue={value} inputMode={name === "port" ? "numeric" : "text"} />
        );
      }}
    </Field>
  ));
}

function Optional({ label }: { readonly label: string }) {
  return (
    <>
      {label} <span className="font-normal text-muted-foreground">optional</span>
    </>
  );
}

function hintOf({ hint, fallback, isSecret }: KindField, isChange: boolean): string | undefined {
  const kept = isSecret && isChange ? "Leave it empty to keep the stored one." : undefined;
  const whenEmpty = fallback === undefined ? undefined : `Default: ${fallback}.`;
  const text = [hint, whenEmpty, kept].filter(Boolean).join(" ");
  return text === "" ? undefined : text;
}
