/* Says how an import goes on to screen readers, once for each change rather than at each poll. */

document.body.addEventListener("htmx:afterSettle", (event) => {
  for (const summary of event.target.querySelectorAll?.("[data-summary]") ?? []) {
    const status = document.getElementById("import-status");
    if (status.textContent !== summary.textContent.trim()) status.textContent = summary.textContent.trim();
  }
});
