import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badSubtitles } from "#tests/hostile/media/bad-subtitles.ts";

describeBadInputs(badSubtitles);
