import type { Queryable } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { insertOperatorAct } from "#lib/db/queries/operator/acts.ts";
import type { OperatorAction } from "#lib/db/schema/operator/act-names.ts";
import type { ActValues } from "#lib/db/schema/operator/operator-acts.ts";
import { createId } from "#lib/ids.ts";
import type { Operator } from "./operator.ts";

/** What an operator does. No value may be a secret. */
export interface Act {
  readonly action: OperatorAction;
  readonly account: Pick<Account, "id" | "email">;
  /** The job or the key that it is done to. */
  readonly subjectId?: string;
  readonly before?: ActValues;
  readonly after?: ActValues;
}

/** Records an act, in the transaction that does it. Returns the id of the record. */
export async function recordAct(tx: Queryable, operator: Operator, act: Act): Promise<string> {
  const id = createId("act");
  await insertOperatorAct(tx, {
    id,
    actor: operator.name,
    actorId: operator.accountId,
    address: operator.address,
    action: act.action,
    accountId: act.account.id,
    accountEmail: act.account.email,
    subjectId: act.subjectId ?? null,
    before: act.before ?? null,
    after: act.after ?? null,
  });
  return id;
}
