"use client";

import { PauseIcon, PlayIcon, SendIcon, Trash2Icon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { toast } from "#components/ui/toast/toast.ts";

/** Why an action was not done; undefined if it was. */
type Failure = { readonly error: string } | undefined;

interface EndpointActionsProps {
  readonly id: string;
  readonly enabled: boolean;
  readonly sendTest: (id: string) => Promise<Failure>;
  readonly setEnabled: (id: string, enabled: boolean) => Promise<Failure>;
  readonly remove: (id: string) => Promise<Failure>;
}

/** Buttons that try, disable, enable and delete an endpoint. */
export function EndpointActions({
  id,
  enabled,
  sendTest,
  setEnabled,
  remove,
}: EndpointActionsProps) {
  const [pending, start] = useTransition();
  const router = useRouter();

  function run(act: () => Promise<Failure>, success: string, then?: () => void) {
    start(async () => {
      const failure = { error: "That did not work. Try again." };
      const failed = await act().catch(() => failure);
      if (failed) {
        toast.error(failed.error);
        return;
      }
      toast.success(success);
      then?.();
    });
  }

  return (
    <>
      <Button
        disabled={pending}
        onClick={() => run(() => sendTest(id), "Test event queued for delivery")}
      >
        <SendIcon />
        Send test event
      </Button>
      {enabled ? (
        <ConfirmDialog
          trigger={
            <Button variant="outline" disabled={pending}>
              <PauseIcon />
              Disable
            </Button>
          }
          title="Disable this endpoint?"
          description="It gets no events until you enable it again. Webhooks that wait for their next attempt are given up."
          confirm="Disable endpoint"
          onConfirm={() => run(() => setEnabled(id, false), "Endpoint disabled")}
        />
      ) : (
        <Button
          variant="outline"
          disabled={pending}
          onClick={() => run(() => setEnabled(id, true), "Endpoint enabled")}
        >
          <PlayIcon />
          Enable
        </Button>
      )}
      <ConfirmDialog
        trigger={
          <Button variant="outline" disabled={pending}>
            <Trash2Icon />
            Delete
          </Button>
        }
        title="Delete this endpoint?"
        description="It gets no events any more, and its secret is lost. What was delivered stays listed."
        confirm="Delete endpoint"
        onConfirm={() =>
          run(
            () => remove(id),
            "Endpoint deleted",
            () => router.push("/dashboard/webhooks"),
          )
        }
      />
    </>
  );
}
