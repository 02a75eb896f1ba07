import { type AudioFormat, audioFormatTraits } from "./audio-formats.ts";
import type { AudioStream } from "./audio-streams.ts";

/** The channel layouts of audio that is encoded again. */

const { layouts: namedLayouts } = audioFormatTraits("wav");

/**
 * Filters that name the channels of a stream without a layout, such as a WAV file without a channel mask.
 * ffmpeg guesses 2.1 and 4.0 for 3 and 4 channels, which no format but WAV and FLAC supports.
 */
export function nameChannels({ channels, channelLayout }: AudioStream): string[] {
  const layout = namedLayouts[channels - 1];
  if (channels <= 2 || channelLayout !== undefined || !layout) return [];
  return [renameChannels(channels, layout)];
}

/** The filter that gives audio with so many channels another layout, and does not mix them. */
export function renameChannels(channels: number, layout: string): string {
  const order = Array.from({ length: channels }, (_, index) => index).join("|");
  return `channelmap=map=${order}:channel_layout=${layout}`;
}

/** The layouts that a copy of `stream` in `format` may have; WAV and FLAC also hold unusual ones. */
export function supportedLayouts(format: AudioFormat, stream: AudioStream): readonly string[] {
  const { layouts, bitRatePerChannel } = audioFormatTraits(format);
  const { channels, channelLayout = "" } = stream;
  const isUnusual =
    /^[\w.()]+$/.test(channelLayout) && !layouts.includes(withoutSide(channelLayout));
  if (bitRatePerChannel !== undefined || !isUnusual || channels > layouts.length) return layouts;
  return layouts.map((layout, index) => (index === channels - 1 ? channelLayout : layout));
}

/** A layout with side channels has another name than the same with back channels. */
export function withoutSide(layout: string): string {
  return layout.replace("(side)", "");
}
