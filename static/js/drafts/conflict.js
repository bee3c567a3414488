/* Resolve two versions of one text (templates/annotate/queue/work_base.html). The form below
   keeps this page's version and stays editable; the panel shows the saved version. The version that
   is not chosen is kept as an earlier version. */

import { copyOf } from "../ui/dom.js";
import { momentOf } from "../ui/moments.js";
import { fillForm, isText, labelOf, readForm } from "./form.js";
import { pick } from "./merge.js";
import { wordDiff } from "./word_diff.js";

/** Return a function that asks the person to choose a version first. */
export function showConflicts(sync, { onEarlier }) {
  const panel = document.getElementById("conflict");
  const rows = panel.querySelector("[data-rows]");
  const template = panel.querySelector("template");
  const title = panel.querySelector("h2");
  const reminder = panel.querySelector("[data-asked]");
  const { form, store } = sync;

  const draw = () => {
    const mine = readForm(form);
    const theirs = sync.theirs.content;
    const different = sync.theirs.clashes.filter((name) => (mine[name] ?? "") !== (theirs[name] ?? ""));
    const texts = different.filter((name) => isText(form, name));
    rows.replaceChildren(...texts.map((name) => row(name, mine[name] ?? "", theirs[name] ?? "")));
    const others = different.length - texts.length;
    panel.querySelector("[data-others]").hidden = others === 0;
    panel.querySelector("[data-others-count]").textContent = String(others);
  };

  const row = (name, mine, theirs) => {
    const element = copyOf(template);
    const [left, right] = wordDiff(mine, theirs);
    const label = labelOf(form, name);
    element.querySelector("[data-label]").textContent = label;
    mark(element.querySelector("[data-mine]"), left);
    mark(element.querySelector("[data-theirs]"), right);
    const take = element.querySelector("[data-take]");
    take.setAttribute("aria-label", `Copy the saved version here: ${label}`);
    take.addEventListener("click", () => {
      keepEarlier(readForm(form), "Version on this page, before a part was copied over");
      fillForm(form, { ...readForm(form), [name]: theirs });
      form.dispatchEvent(new Event("change", { bubbles: true }));
      draw();
      title.focus();
    });
    return element;
  };

  const keepEarlier = (content, why) => {
    store.keepEarlier(content, why);
    onEarlier();
  };

  sync.addEventListener("conflict", (event) => {
    const { savedAt } = event.detail;
    panel.querySelector("[data-when]").textContent = savedAt ? ` on ${momentOf(savedAt)},` : "";
    draw();
    reveal();
  });

  // A person who is typing can continue: neither the focus nor the line moves.
  const reveal = () => {
    const focused = document.activeElement;
    const isBusy = focused && focused !== document.body;
    const before = isBusy && focused.getBoundingClientRect().top;
    panel.hidden = false;
    if (isBusy) scrollBy({ top: focused.getBoundingClientRect().top - before, behavior: "instant" });
    else title.focus();
  };

  sync.addEventListener("agreed", () => {
    panel.hidden = true;
    reminder.textContent = "";
  });

  form.addEventListener("input", () => {
    if (sync.theirs) draw();
  });

  panel.querySelector("[data-keep-mine]").addEventListener("click", () => {
    keepEarlier(sync.theirs.content, "Saved version, not chosen");
    finish();
  });

  panel.querySelector("[data-take-theirs]").addEventListener("click", async () => {
    const { content, clashes } = sync.theirs;
    const mine = readForm(form);
    keepEarlier(mine, "Version on this page, not chosen");
    if (fillForm(form, pick(mine, content, clashes))) await finish();
    else sync.reload();
  });

  const finish = async () => {
    const [first] = sync.theirs.clashes;
    const saved = sync.resolve();
    const field = form.elements[first];
    (field?.type === "textarea" ? field : form.querySelector("textarea:not([readonly])"))?.focus();
    await saved;
  };

  return () => {
    title.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "start" });
    reminder.textContent = "Choose a version first, then submit.";
  };
}

function mark(element, pieces) {
  element.replaceChildren(
    ...pieces.map(({ text, same }) => {
      if (same || !text.trim()) return text;
      const marked = document.createElement("mark");
      marked.className = "conflict";
      marked.textContent = text;
      return marked;
    }),
  );
  if (pieces.length === 0) element.textContent = "(empty)";
}
