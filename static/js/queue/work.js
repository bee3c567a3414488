/* Every work page: connect the form to the draft, the lease, the submit and the keys.
   templates/annotate/queue/work_base.html documents what the page must provide. */

import { showConflicts } from "../drafts/conflict.js";
import { showEarlier } from "../drafts/earlier.js";
import { fillForm, sameContent } from "../drafts/form.js";
import { DraftStore } from "../drafts/store.js";
import { DraftSync } from "../drafts/sync.js";
import { onKeys } from "../keys/grammar.js";
import { TYPES } from "../keys/typing.js";
import { toast } from "../ui/dialog.js";
import { find, findAll } from "../ui/dom.js";
import { setNow } from "../ui/moments.js";
import { giveBackFromDialogs } from "./give_back.js";
import { Heartbeat } from "./heartbeat.js";
import { preloadNext } from "./preload.js";
import { showSaveState } from "../drafts/save_state.js";
import { Submission } from "./submit.js";
import { showHold, showProblems } from "./notices.js";

const form = find("#work-form", HTMLFormElement);
const { assignment, user, state, kept, now } = form.dataset;
const store = new DraftStore(user, assignment);

if (!kept) setNow(now); // a kept page is of an earlier time
tellHeights();
if (state === "submitted") lookBack();
else work();
preloadNext();

/** Sticky elements on a phone are below the video or above the bar, whose heights depend on their
    content. */
function tellHeights() {
  const phone = matchMedia("(max-width: 48rem)");
  for (const [selector, name] of [[".work-bar", "--bar-height"], [".work-media", "--media-height"]]) {
    const part = document.querySelector(selector);
    const tell = () => {
      // Only on phones, since each new height makes the browser style the whole page again.
      if (phone.matches) document.documentElement.style.setProperty(name, `${part.offsetHeight}px`);
    };
    new ResizeObserver(tell).observe(part);
    phone.addEventListener("change", tell);
  }
  /** @type {HTMLElement | null} */
  const player = document.querySelector(".work-media > .player"); // covers what scrolls below it
  if (player) new ResizeObserver(() => (player.parentElement.style.scrollPaddingTop = `${player.offsetHeight}px`)).observe(player);
}

/** Submitted work is read-only, but texts that this device still keeps are offered. */
function lookBack() {
  const submitted = JSON.parse(document.getElementById("stored-draft").textContent);
  for (const copy of store.copies()) {
    const isSame = sameContent(copy.content, submitted);
    if (isSame || store.keepEarlier(copy.content, "Not part of what was submitted")) store.forget(copy.key);
  }
  showEarlier({ form, store, isClosed: () => true });
}

function work() {
  const { draftUrl, heartbeatUrl, leaseExpires, startFrame } = form.dataset;
  const { version, savedAt } = openedOffline() ?? form.dataset;
  const sync = new DraftSync({
    form,
    store,
    url: draftUrl,
    version: Number(version),
    stored: JSON.parse(document.getElementById("stored-draft").textContent),
    savedAt: savedAt ? new Date(savedAt) : null,
  });
  const heartbeat = new Heartbeat({
    url: heartbeatUrl,
    start: Number(startFrame),
    frames: Number(document.getElementById("watched")?.dataset.frames ?? 0),
    expiresAt: new Date(leaseExpires),
  });

  showSaveState(sync);
  const drawEarlier = showEarlier({ form, store, isClosed: () => sync.state === "closed" });
  const askToChoose = showConflicts(sync, { onEarlier: drawEarlier });
  const hold = showHold({ form, sync, heartbeat });
  announce(sync, drawEarlier);
  sync.start({ typed: form.dataset.typed === "true" });
  drawEarlier();
  leaveSafely(sync);
  saveBeforeOtherForms(sync);
  tellOfOthers(sync, heartbeat);
  giveBackFromDialogs({ sync, heartbeat });

  if (form.dataset.editable !== "true") return;
  const submission = new Submission({ form, sync, heartbeat });
  submission.addEventListener("choose", askToChoose);
  showProblems(submission, form);
  hold.watch(submission);
  heartbeat.begin();
  listenToKeys(sync);
  startTyping();
}

/** Return the draft kept by the service worker if it is later than the kept page's own. */
function openedOffline() {
  if (!form.dataset.kept) return null;
  toast("No connection. The page is as it was when you had it open; your text is kept on this device and sent later.");
  const { version, content, savedAt } = JSON.parse(form.dataset.kept);
  if (!(version > Number(form.dataset.version)) || !fillForm(form, content)) return null;
  form.elements.base_version.value = version;
  return { version, savedAt };
}

/** Focus the first text field, unless the focus is needed elsewhere or would open a phone's
    keyboard. */
function startTyping() {
  const fields = findAll("[data-typing-starts]", HTMLTextAreaElement, form);
  const field = fields.find(({ value }) => !value.trim()) ?? fields[0];
  const isAsked = document.querySelector("dialog[open]:not(.guideline), #problems:not([hidden]), #conflict:not([hidden])");
  if (!field || isAsked || document.activeElement !== document.body || location.hash) return;
  if (matchMedia("(max-width: 48rem), (pointer: coarse)").matches) return;
  field.focus({ preventScroll: true });
  field.setSelectionRange(field.value.length, field.value.length);
}

function announce(sync, drawEarlier) {
  sync.addEventListener("restored", () => toast("Text kept on this device is back. It had not reached the server."));
  sync.addEventListener("merged", drawEarlier);
  sync.addEventListener("full", () => warnOnce());
  sync.addEventListener("closed", drawEarlier);
  let warned = false;
  const warnOnce = () => {
    if (warned) return;
    warned = true;
    toast("This browser keeps no copy of your text: its storage is full or blocked. It is still saved on the server as you type.", "warn");
  };
}

/** Tell the device that saved first about a second one before both have typed different texts. The
    message goes once this page has the other version, too. */
function tellOfOthers(sync, heartbeat) {
  let announcedVersion = 0;
  /** @type {HTMLElement | null} */
  let message = null;
  for (const settled of ["agreed", "merged", "followed", "closed"]) sync.addEventListener(settled, () => message?.remove());
  heartbeat.addEventListener("version", ({ detail: { version } }) => {
    if (sync.running || version <= (sync.theirs ?? sync).version || version <= announcedVersion) return;
    announcedVersion = version;
    message?.remove();
    message = toast("Another tab or device has saved this work since. Reload to see it; if you continue typing here, both are compared.", "warn");
  });
}

function leaveSafely(sync) {
  addEventListener("beforeunload", (event) => {
    sync.keep();
    if (sync.isAtRisk) event.preventDefault();
  });
}

function saveBeforeOtherForms(sync) {
  for (const other of findAll("form[data-saves-first]", HTMLFormElement)) {
    other.addEventListener("submit", async (event) => {
      event.preventDefault();
      await sync.flush();
      sync.keep();
      other.submit();
    });
  }
}

/** Default actions of the keys of work pages, which a kind of work can override. */
function listenToKeys(sync) {
  onKeys("work", {
    submit: () => form.requestSubmit(document.getElementById("submit-next")),
    undo: () => document.querySelector("[data-undo]")?.click(),
    save: () => sync.retryNow(),
    leave: ({ target }) => target.matches(TYPES) && !target.closest("[data-player]") && form.focus({ preventScroll: true }),
  }, { region: form });
}
