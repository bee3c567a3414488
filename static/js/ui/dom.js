/* Find elements that a script needs, of the right type; throw an error that names a missing one. */

/**
 * Return the first element for the selector under `root`.
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
 * Return all elements for the selector under `root`.
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
 * Return a new copy of the only element in a template.
 *
 * @param {HTMLTemplateElement} template
 * @returns {HTMLElement}
 */
export function copyOf(template) {
  return /** @type {HTMLElement} */ (template.content.firstElementChild.cloneNode(true));
}

/**
 * Return the field of an input or change event.
 *
 * @param {Event} event
 * @returns {HTMLInputElement}
 */
export function fieldOf(event) {
  return /** @type {HTMLInputElement} */ (event.target);
}
