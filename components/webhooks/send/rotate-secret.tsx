import { RefreshCwIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";

interface RotateSecretProps {
  /** Until when webhooks are also signed with the previous secret, RFC 3339; null if there is none. */
  readonly previousUntil: string | null;
  readonly pending: boolean;
  readonly title: string;
  readonly description: string;
  readonly onRotate: () => void;
}

/** The button that replaces a signing secret, and how long the previous one is valid. */
export function RotateSecret({
  previousUntil,
  pending,
  title,
  description,
  onRotate,
}: RotateSecretProps) {
  return (
    <>
      {previousUntil !== null && (
        <p className="text-sm text-warning" role="status">
          The previous secret is valid until <LocalTime time={previousUntil} />.
        </p>
      )}
      <ConfirmDialog
        trigger={
          <Button variant="outline" className="justify-self-start" disabled={pending}>
            <RefreshCwIcon />
            Rotate secret
          </Button>
        }
        title={title}
        description={description}
        confirm="Rotate secret"
        onConfirm={onRotate}
      />
    </>
  );
}
