import { LogOutIcon } from "lucide-react";
import { ButtonForm } from "#components/forms/button-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { signOut } from "#lib/auth/actions/sign-out.ts";

/** Signs out this browser; works without JavaScript. */
export function SignOutButton() {
  return (
    <ButtonForm action={signOut}>
      <Button type="submit" variant="ghost" size="icon" title="Sign out" data-verb="Sign out">
        <LogOutIcon />
        <span className="sr-only">Sign out</span>
      </Button>
    </ButtonForm>
  );
}
