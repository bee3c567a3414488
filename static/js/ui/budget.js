/* Update a word budget (templates/partials/budget.html). */

export function setBudget(element, count) {
  const { low, high } = element.dataset;
  element.dataset.state = count < low ? "under" : count > high ? "over" : "inside";
  element.querySelector(".budget-fill").setAttribute("width", count);
  element.querySelector("strong").textContent = count;
  element.querySelector(".budget-advice").textContent = count > high ? `, ${count - high} too many` : "";
}

for (const element of document.querySelectorAll(".budget")) {
  setBudget(element, Number(element.querySelector("strong").textContent));
}
