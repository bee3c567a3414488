/* A work form as content, the flat map of texts that annotate/queue/content.py describes, and back.

   Empty texts and missing ones mean the same. When content is put into the form the form gets
   "work:fill" {content} first: a page whose number of fields depends on the content builds them
   there and calls preventDefault. After it comes "work:filled". */

const CONTROL = new Set(["csrfmiddlewaretoken", "key", "base_version", "then"]);

/** @param {HTMLFormElement} form */
export function readForm(form) {
  /** @type {Content} */
  const content = {};
  for (const [name, value] of new FormData(form)) {
    if (!CONTROL.has(name)) content[name] = String(value).replaceAll("\r\n", "\n");
  }
  return content;
}

/** Puts the content into the form. False, with nothing changed, when the form lacks its fields. */
export function fillForm(form, content) {
  const event = new CustomEvent("work:fill", { detail: { content }, bubbles: true, cancelable: true });
  if (form.dispatchEvent(event)) {
    const fields = [...form.elements].filter((field) => field.name && !CONTROL.has(field.name));
    const names = new Set(fields.map((field) => field.name));
    if (Object.keys(content).some((name) => content[name] && !names.has(name))) return false;
    for (const field of fields) fillField(field, content[field.name] ?? "");
  }
  form.dispatchEvent(new CustomEvent("work:filled", { bubbles: true }));
  return true;
}

/** fillForm while somebody may be typing: focus and caret stay where they are. */
export function fillAround(form, content) {
  // Whatever has the focus; only what text is typed into has a caret.
  const focused = /** @type {HTMLInputElement} */ (document.activeElement);
  const { value, selectionStart, selectionEnd, scrollTop } = focused;
  const filled = fillForm(form, content);
  if (!filled || !form.contains(focused)) return filled;
  if (document.activeElement !== focused) focused.focus({ preventScroll: true });
  if (focused.value === value || selectionStart == null) return filled;
  focused.setSelectionRange(caretIn(focused.value, value, selectionStart), caretIn(focused.value, value, selectionEnd));
  focused.scrollTop = scrollTop;
  return filled;
}

/** Where a caret in the old text stands in the new one: before the change, or as far from the end. */
function caretIn(text, old, caret) {
  if (text.startsWith(old.slice(0, caret))) return caret;
  return Math.max(0, text.length - (old.length - caret));
}

export function fillField(field, value) {
  if (field.type === "checkbox" || field.type === "radio") field.checked = value === field.value;
  else if (field.value !== value) field.value = value;
}

export function sameContent(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => (one[name] ?? "") === (other[name] ?? ""));
}

export function isEmpty(content) {
  return sameContent(content, {});
}

/** What a person calls the field: its label on the page. */
export function labelOf(form, name) {
  const field = form.elements[name];
  const element = field instanceof RadioNodeList ? field[0] : field;
  const label = element?.dataset.label || element?.getAttribute("aria-label") || element?.labels?.[0]?.textContent;
  return (label || name.replaceAll(/[-_]/g, " ")).trim();
}

/** Whether it says what other fields belong to, rather than what a person put in. A hidden field that
    finds its place in any text merges apart. */
export function isHidden(form, name) {
  const field = form.elements[name];
  return field?.type === "hidden" && !field.hasAttribute("data-merges-apart");
}

/** Whether people write in it, as opposed to ticks, choices and hidden fields. */
export function isText(form, name) {
  const field = form.elements[name];
  return !field || field.type === "textarea" || field.type === "text";
}
