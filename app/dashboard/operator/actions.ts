"use server";

import { revalidatePath } from "next/cache";
import { notFound } from "next/navigation";
import { z } from "zod";
import { currentCaller } from "#lib/auth/caller.ts";
import {
  emailField,
  type FormState,
  newPasswordField,
  parseForm,
} from "#lib/auth/next-auth/credentials.ts";
import { requireActPermission } from "#lib/auth/reauthentication/reauthenticate.ts";
import { requireOperator } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { type Account, findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { accountRoles } from "#lib/db/schema/accounts.ts";
import * as acts from "#lib/operator/acts/accounts.ts";
import { cancelJobOf, retryJobOf } from "#lib/operator/acts/jobs.ts";
import * as settings from "#lib/operator/acts/settings.ts";
import { type Operator, OperatorError } from "#lib/operator/operator.ts";
import { planNames } from "#lib/plans.ts";

/** The acts of the operator's console. Each checks the role again: an action can be called without its page. */

const idField = z.string().max(64);

export async function createAccount(_previous: FormState, form: FormData): Promise<FormState> {
  const shape = z.object({
    email: emailField,
    plan: z.enum(planNames),
    password: newPasswordField.or(z.literal("").transform(() => undefined)),
  });
  return runAct(shape, form, async (operator, { email, plan, password }) => {
    const values = { email, plan, ...(password ? { password } : {}) };
    const { apiKey } = await acts.createAccountFor(operator, values);
    return `The account is created. Its first API key is ${apiKey}. It is not shown again.`;
  });
}

export async function setPlan(_previous: FormState, form: FormData): Promise<FormState> {
  const shape = z.object({ account: idField, plan: z.enum(planNames) });
  return runAct(shape, form, async (operator, { account, plan }) => {
    await acts.setPlan(operator, await requirePerson(account), plan);
    return `The plan is now ${plan}.`;
  });
}

export async function setNewAccountPlan(_previous: FormState, form: FormData): Promise<FormState> {
  const own = await requireOperator();
  return runAct(z.object({ plan: z.enum(planNames) }), form, async (operator, { plan }) => {
    await settings.setNewAccountPlan(operator, own, plan);
    return `New accounts are now on ${plan}.`;
  });
}

export async function setPassword(_previous: FormState, form: FormData): Promise<FormState> {
  const shape = z.object({ account: idField, password: newPasswordField });
  return runAct(shape, form, async (operator, { account, password }) => {
    await acts.setPassword(operator, await requirePerson(account), password);
    return "The password is set. All sessions of the account have ended, and its API keys are revoked.";
  });
}

export async function setRole(_previous: FormState, form: FormData): Promise<FormState> {
  const shape = z.object({ account: idField, role: z.enum(accountRoles) });
  return runAct(shape, form, async (operator, { account, role }) => {
    await acts.setRole(operator, await requirePerson(account), role);
    return `The role is now ${role}.`;
  });
}

export async function suspendAccount(_previous: FormState, form: FormData): Promise<FormState> {
  return runAct(z.object({ account: idField }), form, async (operator, { account }) => {
    await acts.suspendAccount(operator, await requirePerson(account));
    return "The account is suspended.";
  });
}

export async function restoreAccount(_previous: FormState, form: FormData): Promise<FormState> {
  return runAct(z.object({ account: idField }), form, async (operator, { account }) => {
    await acts.restoreAccount(operator, await requirePerson(account));
    return "The account is restored.";
  });
}

export async function createKey(_previous: FormState, form: FormData): Promise<FormState> {
  const shape = z.object({ account: idField, name: z.string().trim().min(1).max(60) });
  return runAct(shape, form, async (operator, { account, name }) => {
    const key = await acts.createKeyFor(operator, await requirePerson(account), name);
    return `The key is ${key.apiKey}. It is not shown again.`;
  });
}

export async function revokeKey(_previous: FormState, form: FormData): Promise<FormState> {
  return runAct(z.object({ key: idField }), form, async (operator, { key }) => {
    await acts.revokeKeyOf(operator, key);
    return "The key is revoked.";
  });
}

export async function cancelJob(_previous: FormState, form: FormData): Promise<FormState> {
  return runAct(z.object({ job: idField }), form, async (operator, { job }) => {
    await cancelJobOf(operator, job);
    return "The job is cancelled.";
  });
}

export async function retryJob(_previous: FormState, form: FormData): Promise<FormState> {
  return runAct(z.object({ job: idField }), form, async (operator, { job }) => {
    return `The new job is ${await retryJobOf(operator, job)}.`;
  });
}

/** Does `work` for an operator who has just shown who they are, and returns its message. Others get 404. */
async function runAct<Schema extends z.ZodObject>(
  shape: Schema,
  form: FormData,
  work: (operator: Operator, fields: z.output<Schema>) => Promise<string>,
): Promise<FormState> {
  const { id, email, sessionId } = await requireOperator();
  // A client can send any value as an action's argument.
  if (!(form instanceof FormData)) notFound();
  const parsed = parseForm(shape, form);
  if ("state" in parsed) return parsed.state;
  const needed = await requireActPermission({ sessionId });
  if (needed) return needed;
  const { address = null } = await currentCaller();
  try {
    const notice = await work({ name: email, accountId: id, address }, parsed.fields);
    revalidatePath("/dashboard/operator", "layout");
    return { notice };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { errors: { form: error.message } };
  }
}

/** An account of a person that is not closed. */
async function requirePerson(id: string): Promise<Account> {
  const account = await findAccount(db(), id);
  if (!account || account.deletedAt || account.plan === "visitor" || account.plan === "system") {
    throw new OperatorError("There is no account with this id.");
  }
  return account;
}
