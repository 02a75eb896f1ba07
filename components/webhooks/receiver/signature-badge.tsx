import { CheckIcon, CircleAlertIcon } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";

/** Whether the signature of a received request verifies. */
export function SignatureBadge({ fault }: { readonly fault: string | null }) {
  return fault === null ? (
    <Badge variant="success">
      <CheckIcon aria-hidden="true" />
      Verified
    </Badge>
  ) : (
    <Badge variant="warning">
      <CircleAlertIcon aria-hidden="true" />
      Not verified
    </Badge>
  );
}
