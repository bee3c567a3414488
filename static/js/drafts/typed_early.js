/* No module, so that it runs before anybody can type: what is typed until the modules are there
   is told to them by the form (queue/work.js). */

document.addEventListener("input", (event) => {
  const { form } = /** @type {HTMLInputElement} */ (event.target);
  if (form?.id === "work-form") form.dataset.typed = "true";
});
