/** The acts of operators. In a separate file, because pages use it without the table. */
export const operatorActions = [
  "account.create",
  "account.set_plan",
  "account.set_password",
  "account.set_role",
  "account.suspend",
  "account.restore",
  "account.read_webhook_secret",
  "key.create",
  "key.revoke",
  "job.cancel",
  "job.retry",
  "settings.set_new_account_plan",
] as const;

export type OperatorAction = (typeof operatorActions)[number];
