import { badBooks } from "#tests/hostile/bad-books.ts";
import { badMail } from "#tests/hostile/bad-mail.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";

describeBadInputs([...badMail, ...badBooks]);
