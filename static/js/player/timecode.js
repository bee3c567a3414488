/* Times as people write and read them. Frames count from the start of the clip. */

const TIME = /^(?:(?:(\d+):)?(\d{1,2}):)?(\d+(?:[.,]\d*)?|[.,]\d+)s?$/;

/** Return the frame number of "3.2", "0:03.2", "1:02:03" or "f96"; null for other text. */
export function parsePosition(text, fps) {
  const position = text.trim().toLowerCase();
  const frame = /^f\s*(\d+)$/.exec(position);
  if (frame) return Number(frame[1]);
  const time = TIME.exec(position);
  if (!time) return null;
  const [, hours = 0, minutes = 0, seconds] = time;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
  return Math.floor(total * fps + 1e-6);
}

/** Format 6.4 as "6.40 s", and times from a minute as "1:06.40". */
export function formatSeconds(seconds) {
  return seconds < 60 ? `${formatTime(seconds).slice(2).replace(/^0(?=\d)/, "")} s` : formatTime(seconds);
}

/** Format 3.2 as "0:03.20". */
export function formatTime(seconds) {
  const hundredths = Math.floor(seconds * 100 + 1e-6);
  const minutes = Math.floor(hundredths / 6000);
  const rest = ((hundredths % 6000) / 100).toFixed(2).padStart(5, "0");
  return `${minutes}:${rest}`;
}
