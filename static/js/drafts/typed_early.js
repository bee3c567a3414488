/* A classic script, so that it runs before anybody can type. The form remembers that text was typed
   before the modules loaded (queue/work.js). */

document.addEventListener("input", (event) => {
  const { form } = /** @type {HTMLInputElement} */ (event.target);
  if (form?.id === "work-form") form.dataset.typed = "true";
});
