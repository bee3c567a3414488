/* Keep what was typed into the other forms of a part that a sent form swaps. */

import { findAll } from "./dom.js";

const isChoice = (field) => ["checkbox", "radio"].includes(field.type);

/** Return the fields that a person changed in the forms of the part, but for the sent one. */
export function typedIn(part, sent) {
  const forms = findAll("form", HTMLFormElement, part).filter((form) => form !== sent);
  return forms.flatMap((form) => fieldsOf(form).filter(({ field }) => isRefused(form) || isChanged(field)));
}

/** Return the fields of a form, with its name. */
export function fieldsOf(form) {
  const name = nameOf(form);
  return namedFields(form).map((field) => ({ name, field }));
}

/** Put the changed fields into the same forms of the new part, as far as it has them. */
export function typeAgain(part, typed) {
  const forms = formsOf(part);
  for (const { name, field } of typed) {
    const form = forms.find((other) => other.name === name)?.form;
    const same = form && namedFields(form).find((other) => isSame(other, field));
    if (!same) continue;
    if (isChoice(field)) same.checked = field.checked;
    else if (field.type === "file") same.files = field.files;
    else same.value = field.value;
  }
}

/** Return what a form is known by: its address, which can repeat the filters of a list, without
    them, and its hidden fields, which can name a row. */
export function nameOf(form) {
  const hidden = findAll("[type=hidden]:not([name=csrfmiddlewaretoken])", HTMLInputElement, form);
  return [form.getAttribute("action")?.split(/[?#]/)[0], ...hidden.map((field) => field.value)].join(" ");
}

const formsOf = (part) => findAll("form", HTMLFormElement, part).map((form) => ({ form, name: nameOf(form) }));

const namedFields = (form) =>
  [...form.elements].filter((field) => field.name && !["hidden", "submit", "button"].includes(field.type));

/** Return whether the server sent back what was typed as the fields’ first values. */
const isRefused = (form) => form.querySelector("[aria-invalid=true], .error:not([hidden])") !== null;

function isChanged(field) {
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  if (field.type === "file") return field.files.length > 0;
  if (field.type === "select-one") return field.value !== chosenAtFirst(field);
  return field.value !== field.defaultValue;
}

const chosenAtFirst = ({ options }) => ([...options].find((option) => option.defaultSelected) ?? options[0])?.value;

const isSame = (other, field) =>
  other.name === field.name && other.type === field.type && (!isChoice(field) || other.value === field.value);
