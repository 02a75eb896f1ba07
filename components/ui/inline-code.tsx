interface InlineCodeProps {
  /** Text from the API, with fields in backticks. */
  readonly text: string;
}

/** Shows the parts of a text that are in backticks as code. */
export function InlineCode({ text }: InlineCodeProps) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move.
      <code key={index} className="font-mono">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
