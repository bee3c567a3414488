/* Times as the pages show them. */

/** Return a time such as "1 Mar 2026, 14:05 UTC". */
export function momentOf(at) {
  const [, day, month, year, time] = new Date(at).toUTCString().split(" ");
  return `${Number(day)} ${month} ${year}, ${time.slice(0, 5)} UTC`;
}
