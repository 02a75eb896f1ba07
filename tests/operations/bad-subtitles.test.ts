import { badSubtitles } from "#tests/hostile/bad-subtitles.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";

describeBadInputs(badSubtitles);
