import { TriangleAlertIcon, XIcon } from "lucide-react";
import Link from "next/link";
import { ButtonForm } from "#components/forms/button-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { formatQuotaBytes } from "#lib/quotas/thresholds.ts";
import { formatMonth, formatPeriodEnd, type ShownAlert } from "#lib/quotas/usage-alerts.ts";

interface AlertBannerProps {
  readonly alert: ShownAlert;
  readonly now: Date;
  /** The server action; the form has `period` and `threshold`. */
  readonly dismiss: (form: FormData) => Promise<void>;
}

/** Says that a threshold of the monthly quota is reached, until it is dismissed. */
export function AlertBanner({ alert, now, dismiss }: AlertBannerProps) {
  const { period, threshold, usedBytes, includedBytes } = alert;
  const used = `${formatQuotaBytes(usedBytes)} of ${formatQuotaBytes(includedBytes)}`;
  const percent = Math.floor((usedBytes / includedBytes) * 100);
  return (
    <section
      aria-label="Usage alert"
      className="mb-6 flex items-start gap-3 rounded-lg border border-input bg-card p-4 text-sm"
    >
      <TriangleAlertIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        <strong className="font-medium">
          {threshold === 100
            ? `Your plan's data for ${formatMonth(now)} is used up: ${used}.`
            : `You have used ${percent}% of your plan's data for ${formatMonth(now)}: ${used}.`}
        </strong>{" "}
        {threshold === 100
          ? `Jobs that need more than what is left are rejected until ${formatPeriodEnd(now)}. `
          : `It starts again at zero on ${formatPeriodEnd(now)}. `}
        <Link href="/dashboard/usage?range=month" className="underline underline-offset-4">
          See what used it
        </Link>
      </p>
      <ButtonForm action={dismiss} hidden={{ period, threshold }}>
        <Button type="submit" variant="ghost" size="icon" className="-m-2">
          <XIcon />
          <span className="sr-only">Dismiss the usage alert</span>
        </Button>
      </ButtonForm>
    </section>
  );
}
