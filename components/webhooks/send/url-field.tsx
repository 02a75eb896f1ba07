import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";

interface UrlFieldProps {
  readonly error: string | undefined;
  readonly hint?: string;
  readonly defaultValue?: string;
}

/** The field `url` of a form about a receiver of webhooks. */
export function UrlField({ error, hint, defaultValue }: UrlFieldProps) {
  return (
    <Field label="URL" hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          name="url"
          type="url"
          required
          maxLength={2048}
          defaultValue={defaultValue}
          placeholder="https://example.com/hooks"
          autoComplete="url"
        />
      )}
    </Field>
  );
}
