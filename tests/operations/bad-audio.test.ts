import { badAudio } from "#tests/hostile/bad-audio.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";

describeBadInputs(badAudio);
