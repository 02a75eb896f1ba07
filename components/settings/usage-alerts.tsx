"use client";

import { Message } from "#components/forms/message.tsx";
import { SubmitButton } from "#components/forms/submit-button.tsx";
import { type FormAction, useFormAction } from "#components/forms/use-form-action.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { alertThresholds } from "#lib/quotas/thresholds.ts";

interface UsageAlertSettingsProps {
  /** The thresholds that are on. */
  readonly thresholds: readonly number[];
  readonly email: string;
  readonly canSendMail: boolean;
  readonly hasQuota: boolean;
  readonly action: FormAction;
}

/** Turns the alerts of the monthly quota on and off. */
export function UsageAlertSettings(props: UsageAlertSettingsProps) {
  const { thresholds, email, canSendMail, hasQuota, action } = props;
  const { state, formProps } = useFormAction(action);
  return (
    <Card aria-labelledby="usage-alerts" id="alerts">
      <CardHeader>
        <div>
          <CardTitle id="usage-alerts">Usage alerts</CardTitle>
          <CardDescription>
            {canSendMail
              ? `Once per month and threshold: an email to ${email} and a note in the dashboard.`
              : "Once per month and threshold: a note in the dashboard. This service sends no email."}
            {!hasQuota && " Your plan has no limit, so there is no alert now."}
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="max-w-md">
        <form {...formProps} className="grid gap-4">
          <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
            <legend className="mb-2 text-sm">
              Alert me when this much of my plan's data is used
            </legend>
            {alertThresholds.map((threshold) => (
              <label
                key={threshold}
                htmlFor={`alert-${threshold}`}
                className="flex items-center gap-2 text-sm"
              >
                <Checkbox
                  // A saved change needs a new checkbox, because it is uncontrolled.
                  key={String(thresholds.includes(threshold))}
                  id={`alert-${threshold}`}
                  name="threshold"
                  value={threshold}
                  defaultChecked={thresholds.includes(threshold)}
                />
                {threshold}%
              </label>
            ))}
          </fieldset>
          <SubmitButton>Save alerts</SubmitButton>
          {/* Always rendered: screen readers announce changes only in existing live regions. */}
          <div aria-live="polite">
            {state.errors?.form && <Message kind="error">{state.errors.form}</Message>}
            {state.notice && <Message kind="success">{state.notice}</Message>}
          </div>
        </form>
      </CardContent>
    </Card>
  );
}
