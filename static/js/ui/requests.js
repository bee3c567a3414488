/* Send JSON to the server and know whether it arrived.

   post(url, data) resolves to {status, data} for every usable answer, and throws Unreachable
   otherwise: no connection, no reply in time, or a server error. */

import { find, findAll } from "./dom.js";

const TOKEN = 'meta[name="csrf-token"]';
const PATIENCE_MS = 20_000;
const LARGEST_KEEPALIVE = 60_000; // browsers refuse more than 64 KiB in a request that outlives its page

export class Unreachable extends Error {}

export async function post(url, data, { leaving = false } = {}) {
  const body = JSON.stringify(data);
  const reply = await send(url, body, leaving);
  if (reply.status !== 403 || leaving) return reply;
  // Signing in again changes the token; a page opened before has the old one.
  return (await renewToken()) ? send(url, body, leaving) : reply;
}

async function send(url, body, leaving) {
  let reply;
  try {
    reply = await fetch(url, {
      method: "POST",
      body,
      keepalive: leaving && body.length < LARGEST_KEEPALIVE,
      credentials: "same-origin",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "X-CSRFToken": tokenTag().content,
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (reply.status >= 500 || reply.status === 429) throw new Unreachable(`status ${reply.status}`);
  try {
    const isJson = reply.headers.get("Content-Type")?.startsWith("application/json");
    return { status: reply.status, data: isJson ? await reply.json() : {} };
  } catch (error) {
    throw new Unreachable(String(error)); // the reply broke off
  }
}

async function renewToken() {
  try {
    const reply = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const fresh = page.querySelector(TOKEN)?.getAttribute("content");
    if (!fresh) return false;
    tokenTag().content = fresh;
    for (const field of findAll("input[name=csrfmiddlewaretoken]", HTMLInputElement)) field.value = fresh;
    return true;
  } catch {
    return false;
  }
}

function tokenTag() {
  return find(TOKEN, HTMLMetaElement);
}
