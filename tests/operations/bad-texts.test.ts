import { badTexts } from "#tests/hostile/bad-texts.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";

describeBadInputs(badTexts);
