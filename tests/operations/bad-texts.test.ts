import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badTexts } from "#tests/hostile/documents/bad-texts.ts";

describeBadInputs(badTexts);
