/* Send JSON to the server and know whether it arrived.

   post(url, data) resolves to {status, data} for every usable answer, and throws Unreachable
   otherwise: no connection, no reply in time, or a server error. */

import { csrfToken } from "./csrf.js";
import { setNow } from "./moments.js";

const PATIENCE_MS = 20_000;
const MAX_KEEPALIVE = 60_000; // browsers refuse more than 64 KiB in a request that outlives its page

export class Unreachable extends Error {}

export async function post(url, data, { leaving = false } = {}) {
  const body = JSON.stringify(data);
  let reply;
  try {
    reply = await fetch(url, {
      method: "POST",
      body,
      keepalive: leaving && body.length < MAX_KEEPALIVE,
      credentials: "same-origin",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "X-CSRFToken": csrfToken(),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  setNow(reply.headers.get("Date"));
  if (reply.status >= 500 || reply.status === 429) throw new Unreachable(`status ${reply.status}`);
  try {
    const isJson = reply.headers.get("Content-Type")?.startsWith("application/json");
    return { status: reply.status, data: isJson ? await reply.json() : {} };
  } catch (error) {
    throw new Unreachable(String(error)); // the reply broke off
  }
}
