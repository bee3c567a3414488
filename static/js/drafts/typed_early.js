/* No module, so that it runs before anybody can type: what is typed until the modules are there
   is told to them by the form (queue/work.js). */

document.addEventListener("input", ({ target }) => {
  if (target.form?.id === "work-form") target.form.dataset.typed = "true";
});
