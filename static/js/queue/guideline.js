/* The guideline beside the work (templates/partials/guideline.html): F1 or Alt+H moves to it, and
   from it back to the work. This browser keeps whether it is open; a changed guideline opens by
   itself once. */

import { chordOf } from "../keys/chords.js";
import { TYPES, typesText } from "../keys/typing.js";
import { closeDialog, openDialog } from "../ui/dialog.js";
import { find } from "../ui/dom.js";
import { post, Unreachable } from "../ui/requests.js";
import { searchGuideline } from "./guideline_search.js";

const OPEN = "guideline-open";
const NARROW = "(max-width: 48rem)"; // there it covers the page, so an unchanged guideline never opens by itself

const guideline = find("#guideline", HTMLDialogElement);
const search = find("#guideline-search", HTMLInputElement);
const { version, seenUrl } = guideline.dataset;

openAtFirst();
searchGuideline(guideline, search);
new MutationObserver(keep).observe(guideline, { attributeFilter: ["open"] });
document.addEventListener("keydown", press);
if (version) void tellSeen();

/** Open it without taking the focus from the work. */
function openAtFirst() {
  const isChanged = "changed" in guideline.dataset;
  if (!isChanged && (matchMedia(NARROW).matches || !wasOpen())) return;
  guideline.setAttribute("open", "");
  if (!isChanged) return;
  guideline.querySelector(".prose [data-changed]")?.scrollIntoView({ block: "nearest" });
  // Announce its note, since the focus stays with the work.
  find("#save-announcement", HTMLElement).textContent = "The guideline has changed since you last read it, and is open.";
}

function press(event) {
  const isAltH = chordOf(event) === "Alt+KeyH" && !(event.target.closest(TYPES) && typesText(event));
  if (event.code === "F1" || isAltH) {
    event.preventDefault();
    if (!guideline.open) openDialog(guideline);
    else if (guideline.contains(document.activeElement)) closeDialog(guideline);
    else {
      guideline.opener = document.activeElement;
      search.focus();
    }
  } else if (event.key === "Escape" && guideline.open && guideline.contains(event.target) && !event.defaultPrevented) {
    closeDialog(guideline);
  }
}

/** Report that this text was shown, so that its changes are shown only once. */
async function tellSeen() {
  try {
    await post(seenUrl, { version });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error; // the next page reports it again
  }
}

function wasOpen() {
  try {
    return localStorage.getItem(OPEN) === "true";
  } catch {
    return false;
  }
}

function keep() {
  try {
    localStorage.setItem(OPEN, String(guideline.open));
  } catch {
    // without storage, it lasts until the page is closed
  }
}
