import { invalidUrl } from "../plan/errors.ts";
import type { Delivery, ImagePlan } from "../plan/plan.ts";

/** What a processing option of imgproxy's URLs is. */

/** What the options have set so far. */
export interface OptionState {
  plan: ImagePlan;
  delivery: Delivery;
}

/** The texts after the name of an option; the first may be empty. */
export type Arguments = readonly [string, ...string[]];

/** Changes the state by an option. Throws `PictureError` for arguments that are not allowed. */
export type Apply = (state: OptionState, args: Arguments) => void;

/** Throws `PictureError` if an option has more than `count` arguments. */
export function atMost(name: string, args: readonly string[], count: number): void {
  if (args.length > count) throw invalidUrl(`${name} has at most ${count} arguments`);
}

/** An option with one argument that sets one field of the plan. */
export function field(name: string, read: (text: string) => Partial<ImagePlan>): Apply {
  return (state, args) => {
    atMost(name, args, 1);
    state.plan = { ...state.plan, ...read(args[0]) };
  };
}

/** Applies `apply` to an argument that is given. */
export function optional(apply: Apply, state: OptionState, text: string | undefined): void {
  if (text) apply(state, [text]);
}
