import { InlineCode } from "#components/ui/inline-code.tsx";

interface GroupErrorProps {
  /** What the controls of the group name as their description. */
  readonly id: string;
  readonly error: string;
}

/** What is wrong with a group of fields. It can have the focus, because no single control has the error. */
export function GroupError({ id, error }: GroupErrorProps) {
  return (
    <p id={id} role="alert" tabIndex={-1} className="text-sm text-destructive outline-none">
      <InlineCode text={error} />
    </p>
  );
}
