import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badAudio } from "#tests/hostile/media/bad-audio.ts";

describeBadInputs(badAudio);
