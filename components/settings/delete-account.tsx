import { ActionForm, type ActionFormProps } from "#components/forms/action-form.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { ownerField } from "./owner-field.ts";

interface DeleteAccountProps {
  readonly action: ActionFormProps["action"];
  readonly hasPassword: boolean;
  readonly email: string;
}

/** Deletes the account, after the password and a second look. Opens without JavaScript too. */
export function DeleteAccount({ action, hasPassword, email }: DeleteAccountProps) {
  return (
    <Card aria-labelledby="delete" className="border-destructive/40">
      <CardHeader>
        <div>
          <CardTitle id="delete">Delete this account</CardTitle>
          <CardDescription>
            For good: every key stops working at once, running jobs are cancelled, and all inputs
            and outputs are deleted. This cannot be undone.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="max-w-md">
        <details className="group">
          <summary className="w-fit cursor-pointer text-sm font-medium text-destructive underline underline-offset-4">
            Delete my account …
          </summary>
          <div className="mt-5">
            <ActionForm
              action={action}
              submit="Delete the account and its files"
              destructive
              fields={[ownerField(hasPassword, email)]}
            />
          </div>
        </details>
      </CardContent>
    </Card>
  );
}
