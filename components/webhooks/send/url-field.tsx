import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";

/** The field `url` of a form that sends a webhook. */
export function UrlField({ error }: { error: string | undefined }) {
  return (
    <Field label="URL" error={error}>
      {(control) => (
        <Input
          {...control}
          name="url"
          type="url"
          required
          maxLength={2048}
          placeholder="https://example.com/hooks"
          autoComplete="url"
        />
      )}
    </Field>
  );
}
