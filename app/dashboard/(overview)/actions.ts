"use server";

import { requireAccount } from "#lib/auth/session.ts";
import { firstStepsStates, writeFirstSteps } from "./first-steps.ts";

/** Keeps the first steps on the overview open, or dismisses them, in this browser. */
export async function keepFirstSteps(state: unknown): Promise<void> {
  const { id } = await requireAccount();
  await writeFirstSteps(id, firstStepsStates.parse(state));
}
