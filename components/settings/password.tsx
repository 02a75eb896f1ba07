import { ActionForm, type FormField } from "#components/forms/action-form.tsx";
import { newPasswordField } from "#components/forms/new-password.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { changePassword } from "#lib/auth/actions/passwords.ts";
import { reauthenticationField } from "./reauthentication-field.ts";

interface PasswordSettingsProps {
  readonly hasPassword: boolean;
  readonly email: string;
  /** The names of the valid API keys. */
  readonly keyNames: readonly string[];
}

/** Changes the password, or sets the first one of an account that signs in with a provider. */
export function PasswordSettings({ hasPassword, email, keyNames }: PasswordSettingsProps) {
  return (
    <Card aria-labelledby="password">
      <CardHeader>
        <div>
          <CardTitle id="password">Password</CardTitle>
          <CardDescription>
            {hasPassword
              ? "A new password signs out all other browsers. API keys keep working unless you revoke them."
              : "This account has no password. Set one to also sign in with your email address."}
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="max-w-md">
        <ActionForm
          action={changePassword}
          submit={hasPassword ? "Change password" : "Set password"}
          fields={[
            reauthenticationField(hasPassword, email),
            newPasswordField("New password"),
            ...(keyNames.length > 0 ? [revokeField(keyNames)] : []),
          ]}
        />
      </CardContent>
    </Card>
  );
}

/** Offers to revoke the keys as well, in case someone else knows them. */
function revokeField(keyNames: readonly string[]): FormField {
  const count = keyNames.length;
  return {
    name: "revokeKeys",
    label: count === 1 ? "Also revoke my API key" : `Also revoke my ${count} API keys`,
    type: "checkbox",
    autoComplete: "off",
    hint: keyNames.join(", "),
  };
}
