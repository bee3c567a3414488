/* A person's player settings, kept in this browser: the speed, and how a clip opens on a work page. */

const SPEED = "player-speed";
const OPENS = "player-opens";

export function keptSpeed() {
  const speed = Number(read(SPEED));
  return speed > 0 ? speed : 1;
}

/** Return the speed after slow motion, which is kept for no other clip. */
export function usualSpeed(slow) {
  return keptSpeed() === slow ? 1 : keptSpeed();
}

export function keepSpeed(speed) {
  write(SPEED, String(speed));
}

/** Return "first" (frame), "middle" (frame) or "playing". */
export function keptOpening() {
  return read(OPENS) ?? "first";
}

/** Connect the setting in the card of keys. */
export function connectOpening() {
  /** @type {HTMLSelectElement | null} */
  const select = document.querySelector("[data-player-opens]");
  if (!select) return;
  select.value = keptOpening();
  if (!select.value) select.value = "first";
  select.addEventListener("change", () => write(OPENS, select.value));
}

/** Open the clip as the person chose. Browsers only start playing without sound. */
export function openClip(player) {
  const opening = player.root.closest(".work") ? keptOpening() : "first";
  if (opening === "middle") return player.seekFrame(Math.floor((player.start + player.end) / 2));
  player.seekFrame(player.start);
  if (opening !== "playing") return;
  player.video.play().catch(() => {
    player.video.muted = true;
    player.video.play().catch(() => player.render());
  });
}

function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // without storage, the setting lasts until the page is closed
  }
}
