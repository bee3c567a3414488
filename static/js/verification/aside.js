/* Set aside text that no longer fits its verdict. A field of the draft keeps it, so that it
   survives a reload, until its mark returns. */

const MAX_KEPT = 19_000; // characters; the server stores no more in one field

/** Keep the values of the fields `name`, such as mend-2, in a row. */
export function setAside(row, name, values) {
  takeBack(name);
  const text = JSON.stringify(values);
  if (text.length <= MAX_KEPT) row.append(keeper(name, text));
}

/** Return the kept values of the fields `name` and stop keeping them; null without any. */
export function takeBack(name) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(`before-${name}`));
  if (!field) return null;
  field.remove();
  try {
    const values = JSON.parse(field.value);
    return Array.isArray(values) ? values.map(String) : null;
  } catch {
    return null;
  }
}

/** Return a field that keeps a text. It isn't of type hidden, since drafts whose hidden fields
    differ are not merged. */
export function keeper(name, text) {
  const field = document.createElement("input");
  Object.assign(field, { type: "text", id: `before-${name}`, name: `before-${name}`, value: text, hidden: true });
  field.dataset.label = "Text that was set aside";
  return field;
}
