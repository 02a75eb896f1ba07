"use client";

import { type FormEvent, useActionState, useRef } from "react";
import type { FormState } from "#lib/auth/next-auth/credentials.ts";
import { describeFailure } from "./describe-failure.ts";

/** A server action that gets a form and responds with its state. */
export type FormAction = (previous: FormState, form: FormData) => Promise<FormState>;

/**
 * The state of a form, and the props that send it to a server action. If the action fails, the state says why: an error
 * that React gets would replace the page's section. A form whose action was not done keeps its values.
 */
export function useFormAction(action: FormAction, initial: FormState = {}) {
  const keepsValues = useRef(false);
  async function run(previous: FormState, form: FormData): Promise<FormState> {
    try {
      const state = await action(previous, form);
      keepsValues.current = state.needsReauthentication === true;
      return state;
    } catch (error) {
      const message = describeFailure(error);
      keepsValues.current = true;
      const { values } = previous;
      return { errors: { form: message }, ...(values && { values }) };
    }
  }
  const [state, send] = useActionState(sendable(action, run), initial);
  const keepValues = (event: FormEvent<HTMLFormElement>) => {
    // React resets a form whose action has ended.
    if (keepsValues.current) event.preventDefault();
  };
  return { state, send, formProps: { action: send, onReset: keepValues } } as const;
}

/**
 * What a form has as its action: the server action itself on the server, because a form without JavaScript can send
 * itself to nothing else; `run` in the browser.
 */
export function sendable<Action>(action: Action, run: Action): Action {
  return typeof window === "undefined" ? action : run;
}
