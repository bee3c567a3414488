/* What a page of runs that renews itself would lose: how far a table is scrolled sideways, and a
   word for screen readers when something has changed, rather than at each poll. */

const scrolled = new Map();
const tables = () => document.querySelectorAll(".table-scroll[id]");

document.body.addEventListener("htmx:beforeSwap", () => {
  for (const table of tables()) scrolled.set(table.id, table.scrollLeft);
});

document.body.addEventListener("htmx:afterSettle", () => {
  for (const table of tables()) table.scrollLeft = scrolled.get(table.id) ?? 0;
  const said = document.querySelector("[data-announce]")?.dataset.announce ?? "";
  const status = document.getElementById("run-status");
  if (status.textContent !== said) status.textContent = said;
});
