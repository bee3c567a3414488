/* Convert a work form to content, the flat map of texts that annotate/queue/content.py describes,
   and back.

   An empty text and a missing one mean the same. When content is put into the form, the form first
   gets "work:fill" {content}: a page whose number of fields depends on the content builds the
   fields there and calls preventDefault. Then it gets "work:filled". */

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

/** Put the content into the form. Return false and change nothing if the form lacks its fields. */
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

/** Like fillForm, but keep focus and caret, since the person may be typing. */
export function fillAround(form, content) {
  // Any element can have the focus; only text fields have a caret.
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

/** Return the caret's place in the new text: unchanged before the change, else as far from the end. */
function caretIn(text, old, caret) {
  if (text.startsWith(old.slice(0, caret))) return caret;
  return Math.max(0, text.length - (old.length - caret));
}

export function fillField(field, value) {
  if (field.type === "checkbox" || field.type === "radio") field.checked = value === field.value;
  else if (field.value !== value) field.value = value;
}

export function sameContent(a, b) {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => (a[name] ?? "") === (b[name] ?? ""));
}

export function isEmpty(content) {
  return sameContent(content, {});
}

/** Return the field's label on the page. */
export function labelOf(form, name) {
  const field = form.elements[name];
  const element = field instanceof RadioNodeList ? field[0] : field;
  const label = element?.dataset.label || element?.getAttribute("aria-label") || element?.labels?.[0]?.textContent;
  return (label || name.replaceAll(/[-_]/g, " ")).trim();
}

/** Return whether the field says what other fields belong to, rather than what a person entered. A
    hidden field with data-merges-apart finds its place in any text, so it merges by itself. */
export function isHidden(form, name) {
  const field = form.elements[name];
  return field?.type === "hidden" && !field.hasAttribute("data-merges-apart");
}

/** Return whether people write text in the field, rather than tick or choose. */
export function isText(form, name) {
  const field = form.elements[name];
  return !field || field.type === "textarea" || field.type === "text";
}
