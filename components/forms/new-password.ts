import type { FormField } from "./action-form.tsx";

/** The field for a new password. */
export function newPasswordField(label: string): FormField {
  return {
    name: "password",
    label,
    type: "password",
    autoComplete: "new-password",
    hint: "At least 8 characters. A few words are easier to remember than symbols.",
  };
}
