import { badSounds } from "#tests/support/bad-sounds.ts";
import { describeBadInputs } from "#tests/support/describe-bad-inputs.ts";

describeBadInputs(badSounds);
