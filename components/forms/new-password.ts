import type { FormField } from "./action-form.tsx";

/** The field in which somebody chooses a password. */
export function newPasswordField(label: string): FormField {
  return {
    name: "password",
    label,
    type: "password",
    autoComplete: "new-password",
    hint: "At least 8 characters; a few words are easier to remember than symbols.",
  };
}
