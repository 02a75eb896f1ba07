import { cookies } from "next/headers";
import { z } from "zod";

/** Whether the first steps are open in this browser, or were dismissed. */
export const firstStepsStates = z.enum(["open", "dismissed"]);
export type FirstStepsState = z.output<typeof firstStepsStates>;

const cookieName = "mediamill-first-steps";

/** A year, in seconds. */
const maxAge = 365 * 86_400;

/** The state that this browser keeps for the account; undefined if there is none. */
export async function readFirstSteps(accountId: string): Promise<FirstStepsState | undefined> {
  const [state, owner] = (await cookies()).get(cookieName)?.value.split(".") ?? [];
  return owner === accountId ? firstStepsStates.safeParse(state).data : undefined;
}

/** Keeps the state in this browser. Only in a server action. */
export async function writeFirstSteps(accountId: string, state: FirstStepsState): Promise<void> {
  (await cookies()).set(cookieName, `${state}.${accountId}`, {
    httpOnly: true,
    sameSite: "lax",
    path: "/dashboard",
    maxAge,
  });
}
