/* Elements that a script can't do without: of the right kind, or an error that says what is missing. */

/**
 * The first element for the selector under `root`.
 *
 * @template {Element} E
 * @param {string} selector
 * @param {new () => E} kind
 * @param {ParentNode} [root]
 * @returns {E}
 */
export function find(selector, kind, root = document) {
  const element = /** @type {Element} */ (root.querySelector(selector));
  if (element instanceof kind) return element;
  throw new Error(`${selector} is ${element ? `a ${element.localName}, no ${kind.name}` : "missing"} on this page.`);
}

/**
 * All elements for the selector under `root`.
 *
 * @template {Element} E
 * @param {string} selector
 * @param {new () => E} kind
 * @param {ParentNode} [root]
 * @returns {E[]}
 */
export function findAll(selector, kind, root = document) {
  return [...root.querySelectorAll(selector)].map((element) => {
    if (element instanceof kind) return element;
    throw new Error(`${selector} is a ${element.localName} on this page, no ${kind.name}.`);
  });
}

/**
 * A new copy of the only element in a template.
 *
 * @param {HTMLTemplateElement} template
 * @returns {HTMLElement}
 */
export function copyOf(template) {
  return /** @type {HTMLElement} */ (template.content.firstElementChild.cloneNode(true));
}

/**
 * The field that an input or change event is about.
 *
 * @param {Event} event
 * @returns {HTMLInputElement}
 */
export function fieldOf(event) {
  return /** @type {HTMLInputElement} */ (event.target);
}
