import { ButtonForm } from "#components/forms/button-form.tsx";
import { SubmitButton } from "#components/forms/submit-button.tsx";
import { signInWithProvider } from "#lib/auth/actions/sign-in.ts";
import { providerNames } from "#lib/auth/next-auth/providers.ts";

/** A button for each configured sign-in provider. */
export function Providers({ next }: { next: string }) {
  const providers = Object.entries(providerNames);
  if (providers.length === 0) return null;
  return (
    <>
      <div className="grid gap-3">
        {providers.map(([id, name]) => (
          <ButtonForm key={id} action={signInWithProvider} hidden={{ provider: id, next }}>
            <SubmitButton variant="outline" className="w-full">
              Continue with {name}
            </SubmitButton>
          </ButtonForm>
        ))}
      </div>
      <p className="flex items-center gap-3 text-xs text-muted-foreground before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        or
      </p>
    </>
  );
}
