import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badBooks } from "#tests/hostile/documents/bad-books.ts";
import { badMail } from "#tests/hostile/documents/bad-mail.ts";

describeBadInputs([...badMail, ...badBooks]);
