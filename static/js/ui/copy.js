/* Copies what stands in the element that a button's data-copy names. */

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  const isInput = source.matches("input");
  // Selected, so that it can be copied by hand where the clipboard is closed.
  if (isInput) source.select();
  else getSelection().selectAllChildren(source);
  try {
    await navigator.clipboard.writeText(isInput ? source.value : source.textContent);
    button.firstChild.textContent = "Copied";
  } catch {
    button.firstChild.textContent = "Selected";
  }
});
