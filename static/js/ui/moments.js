/* Times as the pages show them, by the server's clock: the clock of this device can be wrong. */

let ahead = 0; // milliseconds

/** Take over the server's time, such as a reply's Date. */
export function setNow(at) {
  const time = Date.parse(at);
  if (time) ahead = time - Date.now();
}

/** Return the server's time in milliseconds. */
export function now() {
  return Date.now() + ahead;
}

/** Return a time such as "1 Mar 2026, 14:05 UTC". */
export function momentOf(at) {
  const [, day, month, year, time] = new Date(at).toUTCString().split(" ");
  return `${Number(day)} ${month} ${year}, ${time.slice(0, 5)} UTC`;
}
