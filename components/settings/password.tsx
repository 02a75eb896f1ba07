import { ActionForm } from "#components/forms/action-form.tsx";
import { newPasswordField } from "#components/forms/new-password.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { changePassword } from "#lib/auth/actions/passwords.ts";
import { ownerField } from "./owner-field.ts";

interface PasswordSettingsProps {
  readonly hasPassword: boolean;
  readonly email: string;
}

/** Changes the password, or gives one to an account that signs in by a provider. */
export function PasswordSettings({ hasPassword, email }: PasswordSettingsProps) {
  return (
    <Card aria-labelledby="password">
      <CardHeader>
        <div>
          <CardTitle id="password">Password</CardTitle>
          <CardDescription>
            {hasPassword
              ? "Changing it signs out every other browser. Keys go on working."
              : "This account has none yet; with one you can also sign in by e-mail address."}
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="max-w-md">
        <ActionForm
          action={changePassword}
          submit={hasPassword ? "Change the password" : "Set a password"}
          fields={[ownerField(hasPassword, email), newPasswordField("New password")]}
        />
      </CardContent>
    </Card>
  );
}
