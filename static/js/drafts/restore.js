/* Restore text that this device kept when the page opens. It never replaces a later version on the
   server without asking, and a copy that is not used is kept as an earlier version. */

import { fillForm, isEmpty, readForm, sameContent } from "./form.js";
import { post } from "../ui/requests.js";

/** `typed`: the page came back with text that is not stored yet; it takes precedence over copies. */
export function restore(sync, typed) {
  const { form, store } = sync;
  const formContent = readForm(form);
  const copies = store.copies();
  const differing = copies.filter((copy) => !sameContent(copy.content, formContent));
  for (const copy of copies) if (!differing.includes(copy)) store.forget(copy.key);
  const [newest, ...others] = differing;
  for (const copy of typed ? differing : others) setAside(store, copy, "Left in another tab on this device");
  if (typed) sync.changed();
  else if (newest) takeUp(sync, newest, formContent);
}

function takeUp(sync, copy, here) {
  const { form, store } = sync;
  const isCurrent = copy.base >= sync.version || copy.sent.some((content) => sameContent(content, here));
  if (!fillForm(form, copy.content)) {
    if (isCurrent) replace(sync, copy);
    else setAside(store, copy, "From this device, older than what is stored");
    return;
  }
  if (isCurrent) {
    sync.sent = copy.sent;
    sync.keep();
    sync.emit("restored", {});
    sync.saveNow();
  } else {
    const base = { version: copy.base, content: copy.from ?? null };
    sync.meet({ version: sync.version, content: here, savedAt: sync.savedAt }, base);
  }
  store.forget(copy.key);
}

/** The form lacks the fields for this content: store it and reload, so that the server draws them. */
async function replace(sync, copy) {
  try {
    const reply = await post(sync.url, { base_version: sync.version, content: copy.content });
    if (reply.status !== 200) return sync.answered(reply, copy.content);
    sync.store.forget(copy.key);
    sync.close("");
    location.reload();
  } catch {
    sync.set("refused", "Your text is kept on this device. Reload when the connection is back to see it.");
  }
}

function setAside(store, copy, why) {
  if (!isEmpty(copy.content)) store.keepEarlier(copy.content, why);
  if (!store.failed) store.forget(copy.key);
}
