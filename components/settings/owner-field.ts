import type { FormField } from "#components/forms/action-form.tsx";

/** The field by which an account's owner shows once more who they are. */
export function ownerField(hasPassword: boolean, email: string): FormField {
  return hasPassword
    ? {
        name: "current",
        label: "Present password",
        type: "password",
        autoComplete: "current-password",
      }
    : {
        name: "current",
        label: "The account's e-mail address",
        type: "email",
        autoComplete: "off",
        hint: `To be sure, enter ${email}.`,
      };
}
