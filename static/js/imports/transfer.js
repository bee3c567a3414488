/* Send one file in chunks, from the server's offset, and continue after lost connections.

   send(file, item, {chunkBytes, signal, onOffset, onWait}) resolves when the server has all bytes.
   It rejects with Stopped, whose message is shown, when trying again won't help. */

import { csrfToken } from "../ui/csrf.js";

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
const PATIENCE_MS = 120_000;
const WILL_NOT_MEND_ITSELF = 507; // the disk is full

export class Stopped extends Error {}

export async function send(file, item, { chunkBytes, signal, onOffset, onWait }) {
  let offset = item.offset;
  let failures = 0;
  onOffset(offset);
  while (offset < file.size) {
    signal.throwIfAborted();
    const bytes = await read(file.slice(offset, offset + chunkBytes));
    const reply = await put(item.chunks, bytes, offset, signal);
    if (reply === null) {
      await patience(failures++, signal, onWait);
      continue;
    }
    failures = 0;
    offset = reply;
    onOffset(offset);
  }
}

/* Return the new offset, or null if it is unknown: no connection, or a server error. */
async function put(url, body, offset, signal) {
  let reply;
  let data;
  try {
    reply = await fetch(url, {
      method: "PUT",
      body,
      credentials: "same-origin",
      headers: {
        "Content-Type": "application/octet-stream",
        "Upload-Offset": String(offset),
        Accept: "application/json",
        "X-CSRFToken": csrfToken(),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    data = await reply.json();
  } catch (error) {
    signal.throwIfAborted();
    if (reply && reply.status < 500) throw new Stopped("The server did not take the file. Reload the page.");
    return null;
  }
  if (reply.ok || reply.status === 409) return data.offset;
  const inTrouble = reply.status >= 500 || reply.status === 429;
  if (inTrouble && reply.status !== WILL_NOT_MEND_ITSELF) return null;
  throw new Stopped(data.message);
}

async function read(blob) {
  try {
    return await blob.arrayBuffer();
  } catch {
    throw new Stopped("The file can no longer be read. Choose it again.");
  }
}

/* Wait longer after each failure, but no longer than until the browser is online again. */
function patience(failures, signal, onWait) {
  const milliseconds = Math.min(FIRST_WAIT_MS * 2 ** failures, MAX_WAIT_MS);
  onWait(milliseconds);
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const stop = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      reject(signal.reason);
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done, { once: true });
    signal.addEventListener("abort", stop, { once: true });
  });
}
