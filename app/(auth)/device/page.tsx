import type { Metadata } from "next";
import { ActionForm } from "#components/forms/action-form.tsx";
import { Message } from "#components/forms/message.tsx";
import { Panel } from "#components/sign-in/panel.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { TextLink } from "#components/sign-in/text-link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { approveDevice, enterUserCode, refuseDevice } from "#lib/auth/actions/device-login.ts";
import { deviceKeyDays, findDevice } from "#lib/auth/device-login.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { tryAttempt } from "#lib/auth/sign-in-limits.ts";

export const metadata: Metadata = { title: "Connect a device" };

const footer = <TextLink href="/dashboard/keys">API keys</TextLink>;

const outcomes: Readonly<Record<string, string>> = {
  approved: "The device is connected. You can close this page.",
  refused: "The device was refused. It has no access to your account.",
};

/** Where a user approves or refuses a command line that signs in. */
export default async function DevicePage({ searchParams }: SearchProps) {
  const account = await requireAccount();
  const { code, done } = await searchParams;
  const outcome = typeof done === "string" ? outcomes[done] : undefined;
  if (outcome) {
    return (
      <Panel title="Connect a device" footer={footer}>
        <Message kind="success">{outcome}</Message>
      </Panel>
    );
  }
  if (typeof code !== "string") return <EnterCode />;
  const device = await lookUp(account.id, code);
  if (typeof device === "string") return <EnterCode error={device} code={code} />;
  return (
    <Panel
      title="Connect a device"
      description={`It gets an API key of ${account.email} that is valid for ${deviceKeyDays} days.`}
      footer={footer}
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <Row label="Device">{device.name}</Row>
        <Row label="Code">
          <span className="font-mono">{code.toUpperCase()}</span>
        </Row>
        <Row label="Network address">{device.address ?? "unknown"}</Row>
        <Row label="Requested">
          <TimeAgo time={device.createdAt.toISOString()} now={new Date().toISOString()} />
        </Row>
      </dl>
      <p className="text-sm">
        Approve it only if you started this sign-in yourself and your terminal shows the same code.
      </p>
      <div className="grid gap-3">
        <ActionForm action={approveDevice} hidden={{ code }} fields={[]} submit="Approve" />
        <ActionForm
          action={refuseDevice}
          hidden={{ code }}
          fields={[]}
          submit="Refuse"
          destructive
        />
      </div>
    </Panel>
  );
}

function EnterCode({ error, code }: { readonly error?: string; readonly code?: string }) {
  return (
    <Panel
      title="Connect a device"
      description="Enter the code that your terminal shows."
      footer={footer}
    >
      <ActionForm
        action={enterUserCode}
        initial={error ? { errors: { code: error } } : {}}
        submit="Continue"
        fields={[
          {
            name: "code",
            label: "Code",
            type: "text",
            autoComplete: "one-time-code",
            ...(code ? { defaultValue: code } : {}),
          },
        ]}
      />
    </Panel>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

/** The device, or why there is none. */
async function lookUp(accountId: string, code: string) {
  const limited = await tryAttempt({ kind: "userCode", subject: accountId });
  if (limited) return limited;
  const device = await findDevice(code);
  return device ?? "This code is wrong or no longer valid. Run mediamill login again.";
}
