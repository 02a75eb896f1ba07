import { ActionForm, type ActionFormProps } from "#components/forms/action-form.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { reauthenticationField } from "./reauthentication-field.ts";

interface DeleteAccountProps {
  readonly action: ActionFormProps["action"];
  readonly hasPassword: boolean;
  readonly email: string;
}

/** Deletes the account after a password check. Works without JavaScript. */
export function DeleteAccount({ action, hasPassword, email }: DeleteAccountProps) {
  return (
    <Card aria-labelledby="delete" className="border-destructive/40">
      <CardHeader>
        <div>
          <CardTitle id="delete">Delete account</CardTitle>
          <CardDescription>
            All API keys stop working immediately, running jobs are cancelled, and all files are
            deleted. You cannot undo this.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="max-w-md">
        <details className="group">
          <summary className="w-fit cursor-pointer text-sm font-medium text-destructive underline underline-offset-4">
            Delete my account…
          </summary>
          <div className="mt-5">
            <ActionForm
              action={action}
              submit="Delete account and files"
              destructive
              fields={[reauthenticationField(hasPassword, email)]}
            />
          </div>
        </details>
      </CardContent>
    </Card>
  );
}
