import { InlineCode } from "#components/ui/inline-code.tsx";
import { requestErrorDescriptions } from "#lib/api/definition/errors.ts";
import { jobErrorCodes, type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";
import { jobErrors } from "./job-errors.ts";
import { TermList } from "./term-list.tsx";

/** The codes of error responses. */
export function RequestErrorsTable() {
  const terms = Object.entries(requestErrorDescriptions).map(([name, text]) => ({
    name,
    // The table has exactly these keys.
    aside: requestErrorStatus[name as RequestErrorCode],
    text: <InlineCode text={text} />,
  }));
  return <TermList label="Codes of error responses" terms={terms} />;
}

/** The codes of failed jobs. */
export function JobErrorsTable() {
  const terms = jobErrorCodes.map((name) => {
    const [meaning, advice] = jobErrors[name];
    return { name, aside: meaning, text: advice };
  });
  return <TermList label="Codes of failed jobs" terms={terms} />;
}
