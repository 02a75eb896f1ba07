import type { FormField } from "#components/forms/action-form.tsx";

/** The field in which the account's owner confirms their identity. */
export function reauthenticationField(hasPassword: boolean, email: string): FormField {
  return hasPassword
    ? {
        name: "current",
        label: "Current password",
        type: "password",
        autoComplete: "current-password",
      }
    : {
        name: "current",
        label: "Your email address",
        type: "email",
        autoComplete: "off",
        hint: `Enter ${email} to confirm.`,
      };
}
