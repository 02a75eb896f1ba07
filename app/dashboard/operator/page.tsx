import type { Metadata } from "next";
import Form from "next/form";
import { CursorPager } from "#components/dashboard/cursor-pager.tsx";
import { ActionForm } from "#components/forms/action-form.tsx";
import { AccountTable } from "#components/operator/account-table.tsx";
import { OperatorHeader } from "#components/operator/operator-header.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Label } from "#components/ui/inputs/label.tsx";
import { readNewAccountPlan } from "#lib/auth/new-account-plan.ts";
import { requireOperator } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { countPeople, searchAccounts } from "#lib/db/queries/operator/accounts.ts";
import { planNames } from "#lib/plans.ts";
import { createAccount, setNewAccountPlan } from "./actions.ts";
import { readText } from "./read-text.ts";

export const metadata: Metadata = { title: "Operator" };

const pageSize = 50;

interface AccountsPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AccountsPage({ searchParams }: AccountsPageProps) {
  await requireOperator();
  const query = await searchParams;
  const search = readText(query.search);
  const before = readText(query.before);
  const [found, total, newAccountPlan] = await Promise.all([
    searchAccounts(db(), { search, before, limit: pageSize + 1 }),
    countPeople(db()),
    readNewAccountPlan(),
  ]);
  const accounts = found.slice(0, pageSize);
  const last = found.length > pageSize ? accounts.at(-1) : undefined;
  const url = (values: Record<string, string>) => {
    const kept = { ...(search ? { search } : {}), ...values };
    return `/dashboard/operator?${new URLSearchParams(kept)}`;
  };
  return (
    <>
      <OperatorHeader
        title="Operator"
        description={
          total === 1 ? "1 account." : `${total.toLocaleString("en")} accounts, newest first.`
        }
      />
      <search>
        <Form
          action="/dashboard/operator"
          key={search ?? ""}
          className="mb-4 flex flex-wrap items-end gap-3"
        >
          <div className="grid min-w-0 flex-1 gap-1.5">
            <Label htmlFor="search">Email address or account ID</Label>
            <Input id="search" name="search" type="search" defaultValue={search ?? ""} />
          </div>
          <Button type="submit" variant="outline">
            Search
          </Button>
        </Form>
      </search>
      <Card aria-label="Account list" className="overflow-hidden">
        <AccountTable accounts={accounts} />
      </Card>
      <div className="mt-4">
        <CursorPager
          newer={before ? url({}) : undefined}
          older={last ? url({ before: last.id }) : undefined}
        />
      </div>
      <Card aria-labelledby="new-account-plan" className="mt-6">
        <CardHeader>
          <div>
            <CardTitle id="new-account-plan">Plan of new accounts</CardTitle>
            <CardDescription>
              Accounts that people create themselves, and those that are created without a plan.
              Existing accounts keep theirs.
            </CardDescription>
          </div>
        </CardHeader>
        <CardContent className="max-w-md">
          <ActionForm
            key={newAccountPlan}
            action={setNewAccountPlan}
            submit="Change plan"
            secondary
            fields={[
              {
                name: "plan",
                label: "Plan of new accounts",
                type: "select",
                autoComplete: "off",
                options: planNames,
                defaultValue: newAccountPlan,
              },
            ]}
          />
        </CardContent>
      </Card>
      <Card aria-label="New account" className="mt-6">
        <CardContent>
          <details>
            <summary className="w-fit cursor-pointer font-medium underline underline-offset-4">
              Create an account…
            </summary>
            <div className="mt-5 max-w-md">
              <ActionForm
                action={createAccount}
                submit="Create account"
                fields={[
                  { name: "email", label: "Email address", type: "email", autoComplete: "off" },
                  {
                    name: "plan",
                    label: "Plan",
                    type: "select",
                    autoComplete: "off",
                    options: planNames,
                    defaultValue: newAccountPlan,
                  },
                  {
                    name: "password",
                    label: "Password",
                    type: "password",
                    autoComplete: "new-password",
                    hint: "Leave it empty for an account that has only an API key.",
                  },
                ]}
              />
            </div>
          </details>
        </CardContent>
      </Card>
    </>
  );
}
