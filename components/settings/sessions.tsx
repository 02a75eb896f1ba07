import { ButtonForm } from "#components/forms/button-form.tsx";
import { SubmitButton } from "#components/forms/submit-button.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { endSession, signOutEverywhere } from "#lib/auth/actions/sign-out.ts";
import type { Session } from "#lib/db/queries/accounts/sessions.ts";
import { describeBrowser } from "./describe-browser.ts";

interface SessionSettingsProps {
  readonly sessions: readonly Session[];
  readonly currentId: string;
}

/** The signed-in browsers, with a button to sign out each of them. */
export function SessionSettings({ sessions, currentId }: SessionSettingsProps) {
  const now = new Date();
  return (
    <Card aria-labelledby="sessions">
      <CardHeader>
        <div>
          <CardTitle id="sessions">Active sessions</CardTitle>
          <CardDescription>
            Browsers that are signed in to this account. A session lasts at most 30 days.
          </CardDescription>
        </div>
        <ButtonForm action={signOutEverywhere}>
          <SubmitButton variant="outline" size="sm">
            Sign out everywhere
          </SubmitButton>
        </ButtonForm>
      </CardHeader>
      <CardContent>
        <ul className="divide-y border-y">
          {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3 text-sm">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {describeBrowser(userAgent)}
                  {id === currentId && <Badge variant="success">This browser</Badge>}
                </p>
                <p className="mt-0.5 text-muted-foreground">
                  {address ?? "Unknown IP address"} · last active{" "}
                  <TimeAgo time={lastSeenAt.toISOString()} now={now.toISOString()} /> · signed in{" "}
                  <LocalTime time={createdAt.toISOString()} />
                </p>
              </div>
              {id !== currentId && (
                <ButtonForm action={endSession} hidden={{ session: id }}>
                  <SubmitButton
                    variant="ghost"
                    size="sm"
                    aria-label={`Sign out ${describeBrowser(userAgent)}, ${address ?? "unknown IP address"}`}
                  >
                    Sign out
                  </SubmitButton>
                </ButtonForm>
              )}
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
