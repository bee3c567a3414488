/* Draw the loudness of a short video over its filmstrip. The file is read again from the browser's
   cache once the video has loaded; long files would need too much memory. */

const MAX_SECONDS = 180;
const MAX_BYTES = 30_000_000; // bytes
const RATE = 8000; // enough to see where it is loud
const PATIENCE_MS = 8000;

/** Return the loudness, 0 to 1, of `count` equal parts of the clip; null if it can't be read. */
export async function loudness(video, { start, end, count }) {
  const connection = navigator.connection;
  if (!window.OfflineAudioContext || connection?.saveData || video.duration > MAX_SECONDS) return null;
  try {
    const reply = await fetch(video.currentSrc, { cache: "force-cache" });
    if (!reply.ok || Number(reply.headers.get("Content-Length")) > MAX_BYTES) return null;
    const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await reply.arrayBuffer());
    return peaksOf(sound.getChannelData(0), start * RATE, end * RATE, count);
  } catch {
    return null; // no sound that this browser can decode
  }
}

export function peaksOf(samples, first, end, count) {
  const size = (end - first) / count;
  const peaks = Array.from({ length: count }, (_, part) => {
    let most = 0;
    for (let at = Math.floor(first + part * size); at < Math.min(first + (part + 1) * size, samples.length); at++) {
      most = Math.max(most, Math.abs(samples[at]));
    }
    return most;
  });
  const loudest = Math.max(...peaks);
  return loudest > 0 ? peaks.map((peak) => peak / loudest) : null;
}

/** Draw the waveform once the video has loaded. */
export function showWaveform(player) {
  if (!("sound" in player.root.dataset)) return;
  const { video, strip, fps } = player;
  const begin = async () => {
    const range = { start: player.start / fps, end: player.end / fps };
    const peaks = await loudness(video, { ...range, count: Math.max(Math.round(strip.width ?? 0), 1) });
    if (peaks) strip.setLoudness(peaks);
  };
  let isBegun = false;
  const once = () => {
    if (isBegun) return;
    isBegun = true;
    void (window.requestIdleCallback ?? setTimeout)(begin);
  };
  video.addEventListener("canplaythrough", once, { once: true });
  setTimeout(once, PATIENCE_MS);
  if (video.readyState === HTMLMediaElement.HAVE_ENOUGH_DATA) once();
}
