/* Half-open intervals of frames, sorted and disjoint: [[start, end], ...]. */

export function addInterval(intervals, start, end) {
  const apart = intervals.filter(([a, b]) => b < start || a > end);
  const touching = intervals.filter(([a, b]) => b >= start && a <= end);
  const merged = [
    Math.min(start, ...touching.map(([a]) => a)),
    Math.max(end, ...touching.map(([, b]) => b)),
  ];
  return [...apart, merged].sort((a, b) => a[0] - b[0]);
}

export function countFrames(intervals) {
  return intervals.reduce((sum, [start, end]) => sum + end - start, 0);
}

/** Parse "0-10 30-50"; the numbers are relative to `start`. */
export function readIntervals(text, start) {
  return text
    .split(" ")
    .filter(Boolean)
    .map((pair) => pair.split("-").map((frame) => Number(frame) + start));
}
