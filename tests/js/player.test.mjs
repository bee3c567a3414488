import assert from "node:assert/strict";
import { test } from "node:test";

import { addInterval, countFrames, readIntervals } from "../../static/js/player/intervals.js";
import { formatSeconds, formatTime, parsePosition } from "../../static/js/player/timecode.js";

test("an interval joins those that it overlaps or touches, and no others", () => {
  const watched = [[0, 10], [20, 30], [50, 60]];
  const cases = [
    [[10, 20], [[0, 30], [50, 60]]],
    [[12, 18], [[0, 10], [12, 18], [20, 30], [50, 60]]],
    [[5, 55], [[0, 60]]],
    [[22, 25], [[0, 10], [20, 30], [50, 60]]],
    [[70, 80], [[0, 10], [20, 30], [50, 60], [70, 80]]],
  ];
  for (const [[start, end], joined] of cases) assert.deepEqual(addInterval(watched, start, end), joined);
  assert.deepEqual(watched, [[0, 10], [20, 30], [50, 60]]);
});

test("frames are counted once, and read from the start of the clip", () => {
  assert.equal(countFrames(readIntervals("0-10 30-50", 100)), 30);
  assert.deepEqual(readIntervals("0-10 30-50", 100), [[100, 110], [130, 150]]);
  assert.deepEqual(readIntervals("", 100), []);
});

test("positions are read as people write them", () => {
  const cases = {
    "3.2": 80, "3,2": 80, " 0:03.2 ": 80, "3.2s": 80, ".2": 5, "1:02:03": 93_075, "f96": 96, "F 96": 96,
    "1.16": 29, // 1.16 * 25 is a little less than 29
    "": null, "one": null, "f": null, "-1": null, "1:2:3:4": null, "100:01": null, "f1.5": null,
  };
  for (const [text, frame] of Object.entries(cases)) assert.equal(parsePosition(text, 25), frame, text);
});

test("times are cut to hundredths, and have minutes from 60 seconds", () => {
  const cases = [
    [0, "0:00.00", "0.00 s"], [6.4, "0:06.40", "6.40 s"], [12.345, "0:12.34", "12.34 s"],
    [0.29, "0:00.29", "0.29 s"], [59.999, "0:59.99", "59.99 s"], [66.4, "1:06.40", "1:06.40"], [3600, "60:00.00", "60:00.00"],
  ];
  for (const [seconds, time, text] of cases) {
    assert.deepEqual([formatTime(seconds), formatSeconds(seconds)], [time, text]);
  }
});
