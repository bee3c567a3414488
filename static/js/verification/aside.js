/* What was typed for a verdict and fits it no more. A field of the draft keeps it, so that it is
   there after a reload too, until its mark comes back. */

const MOST_KEPT = 19_000; // characters of one field that the server still keeps

/** Keeps the values of the fields `name`, such as mend-2, in a row. */
export function setAside(row, name, values) {
  takeBack(name);
  const text = JSON.stringify(values);
  if (text.length <= MOST_KEPT) row.append(keeper(name, text));
}

/** The values that are kept for the fields `name`, which are kept no longer; null without any. */
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

/** The field that keeps a text. It is no hidden one: where those differ, drafts are not merged. */
export function keeper(name, text) {
  const field = document.createElement("input");
  Object.assign(field, { type: "text", id: `before-${name}`, name: `before-${name}`, value: text, hidden: true });
  field.dataset.label = "Text that was set aside";
  return field;
}
