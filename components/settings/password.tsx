import { ActionForm } from "#components/forms/action-form.tsx";
import { newPasswordField } from "#components/forms/new-password.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { changePassword } from "#lib/auth/actions/passwords.ts";
import { reauthenticationField } from "./reauthentication-field.ts";

interface PasswordSettingsProps {
  readonly hasPassword: boolean;
  readonly email: string;
}

/** Changes the password, or sets the first one of an account that signs in with a provider. */
export function PasswordSettings({ hasPassword, email }: PasswordSettingsProps) {
  return (
    <Card aria-labelledby="password">
      <CardHeader>
        <div>
          <CardTitle id="password">Password</CardTitle>
          <CardDescription>
            {hasPassword
              ? "A new password signs out all other browsers. API keys keep working."
              : "This account has no password. Set one to also sign in with your email address."}
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="max-w-md">
        <ActionForm
          action={changePassword}
          submit={hasPassword ? "Change password" : "Set password"}
          fields={[reauthenticationField(hasPassword, email), newPasswordField("New password")]}
        />
      </CardContent>
    </Card>
  );
}
