import type { ReactNode } from "react";
import { ActionForm, type ActionFormProps } from "#components/forms/action-form.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import type { AccountSummary } from "#lib/db/queries/operator/accounts.ts";
import { accountRoles } from "#lib/db/schema/accounts.ts";
import { planNames } from "#lib/plans.ts";

type Action = ActionFormProps["action"];

interface AccountFormsProps {
  readonly account: AccountSummary;
  /** Whether it is the account of the operator who looks at it. */
  readonly isOwn: boolean;
  readonly actions: Readonly<
    Record<"setPlan" | "setPassword" | "setRole" | "suspendAccount" | "restoreAccount", Action>
  >;
}

/** What an operator can change of an account. */
export function AccountForms({ account, isOwn, actions }: AccountFormsProps) {
  const hidden = { account: account.id };
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      <FormCard id="plan" title="Plan" about="New jobs have the limits of the new plan.">
        <ActionForm
          action={actions.setPlan}
          hidden={hidden}
          submit="Change plan"
          fields={[
            {
              name: "plan",
              label: "New plan",
              type: "select",
              autoComplete: "off",
              options: planNames,
              defaultValue: account.plan,
            },
          ]}
        />
      </FormCard>
      <FormCard
        id="password"
        title="Password"
        about="Ends all sessions of the account, revokes its API keys and invalidates its reset links."
      >
        <ActionForm
          action={actions.setPassword}
          hidden={hidden}
          submit="Set password"
          fields={[
            {
              name: "password",
              label: "New password",
              type: "password",
              autoComplete: "new-password",
            },
          ]}
        />
      </FormCard>
      {!isOwn && (
        <FormCard
          id="role"
          title="Role"
          about="An operator sees these pages and can change every account."
        >
          <ActionForm
            action={actions.setRole}
            hidden={hidden}
            submit="Change role"
            fields={[
              {
                name: "role",
                label: "New role",
                type: "select",
                autoComplete: "off",
                options: accountRoles,
                defaultValue: account.role,
              },
            ]}
          />
        </FormCard>
      )}
      {account.role === "user" && <Suspension account={account} isOwn={isOwn} actions={actions} />}
    </div>
  );
}

function Suspension({ account, actions }: AccountFormsProps) {
  const hidden = { account: account.id };
  if (account.suspendedAt) {
    return (
      <FormCard
        id="suspension"
        title="Suspended"
        about="Keys and sign-ins of this account are refused. Its files and records are kept as its plan says."
      >
        <ActionForm
          action={actions.restoreAccount}
          hidden={hidden}
          submit="Restore account"
          fields={[]}
        />
      </FormCard>
    );
  }
  return (
    <FormCard
      id="suspension"
      title="Suspend"
      about="Keys and sign-ins are refused, sessions end, and unfinished jobs are cancelled. You can restore the account."
    >
      <details>
        <summary className="w-fit cursor-pointer text-sm font-medium text-destructive underline underline-offset-4">
          Suspend this account…
        </summary>
        <div className="mt-5">
          <ActionForm
            action={actions.suspendAccount}
            hidden={hidden}
            submit={`Suspend ${account.email}`}
            destructive
            fields={[]}
          />
        </div>
      </details>
    </FormCard>
  );
}

interface FormCardProps {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly children: ReactNode;
}

function FormCard({ id, title, about, children }: FormCardProps) {
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <div>
          <CardTitle id={id}>{title}</CardTitle>
          <CardDescription>{about}</CardDescription>
        </div>
      </CardHeader>
      <CardContent>{children}</CardContent>
    </Card>
  );
}
