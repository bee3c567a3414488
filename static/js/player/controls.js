/* The player's controls: buttons, speed, "Go to" and the timeline. */

import { keepSpeed } from "./habits.js";
import { formatSeconds, parsePosition } from "./timecode.js";

const NO_POSITION = "Write a time such as 3.2 or 0:03.2, or a frame such as f96.";

export function connectControls(player) {
  player.root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) player.do(button.dataset.do);
  });
  player.find(".player-speed").addEventListener("change", (event) => {
    chooseSpeed(player, Number(event.target.value));
  });
  connectGoTo(player, player.find(".player-goto"));
  connectTimeline(player, player.timeline);
}

/** Choose the next lower or higher speed, for the next clips too. */
export function changeSpeed(player, by) {
  const speeds = [...player.find(".player-speed").options].map(({ value }) => Number(value));
  const place = speeds.indexOf(player.video.playbackRate) + by;
  chooseSpeed(player, speeds[Math.min(Math.max(place, 0), speeds.length - 1)]);
}

function chooseSpeed(player, speed) {
  player.setSpeed(speed);
  keepSpeed(speed);
}

function connectGoTo(player, field) {
  const message = player.find(".player-said");
  let cameFrom = null;
  const clear = () => {
    field.setCustomValidity("");
    message.textContent = "";
  };
  const leave = () => {
    clear();
    field.value = "";
    // If nothing had the focus, give it to the player, which takes the following keys anyway.
    (cameFrom?.isConnected ? cameFrom : player.find(".player-stage")).focus({ preventScroll: true });
    cameFrom = null;
  };

  field.addEventListener("focus", (event) => {
    if (event.relatedTarget) cameFrom = event.relatedTarget;
    field.select();
  });
  field.addEventListener("input", clear);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault(); // else Escape moves the focus to the work
      leave();
    }
    if (event.key !== "Enter") return;
    event.preventDefault(); // the player can be in a form
    const frame = parsePosition(field.value, player.fps);
    field.setCustomValidity(frame === null ? NO_POSITION : "");
    if (!field.reportValidity()) return;
    const length = player.end - player.start;
    if (frame > length) {
      message.textContent = `The clip ends at ${formatSeconds(length / player.fps)}, frame ${length - 1}.`;
      return field.select();
    }
    player.seekFrame(player.start + frame);
    leave();
  });
}

function connectTimeline(player, timeline) {
  const seek = (event) => {
    player.seekFrame(player.strip.frameAt(event.clientX - timeline.getBoundingClientRect().left));
  };

  timeline.addEventListener("pointerdown", (event) => {
    timeline.setPointerCapture(event.pointerId);
    seek(event);
  });
  timeline.addEventListener("pointermove", (event) => {
    if (timeline.hasPointerCapture(event.pointerId)) seek(event);
  });
  timeline.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const second = Math.round(player.fps);
    const moves = {
      ArrowLeft: player.aim - 1,
      ArrowDown: player.aim - 1,
      ArrowRight: player.aim + 1,
      ArrowUp: player.aim + 1,
      PageDown: player.aim - second,
      PageUp: player.aim + second,
      Home: player.start,
      End: player.end - 1,
    };
    if (event.key === " ") player.do("play");
    else if (event.key in moves) player.seekFrame(moves[event.key]);
    else return;
    event.preventDefault();
  });
}
